import { type RawBuilder, sql } from "kysely";
import { type Batch, findBatch } from "#ledger/payout/batches.ts";
import type { Database } from "#ledger/store/database.ts";
import { type Progress, progressOf } from "#ledger/payout/progress.ts";
import { moneyOf } from "#ledger/store/tables.ts";
import type { Money } from "#money/money.ts";
import type { PayoutState } from "#payout/payout-lifecycle.ts";

/**
 * Returns a batch and its amounts by state, both as of one moment: the approved amount must equal
 * the sum over all states (I3).
 */
export const findBatchWithProgress = (
  database: Database,
  id: string,
): Promise<{ readonly batch: Batch | null; readonly progress: readonly Progress[] }> =>
  database
    .transaction()
    .setIsolationLevel("repeatable read")
    .setAccessMode("read only")
    .execute(async (snapshot) => ({
      batch: await findBatch(snapshot, { id }),
      progress: await progressOf(snapshot, id),
    }));

/**
 * One interval of a batch's course. `sent`, `paid` and `notPaid` are cumulative counts of the
 * sampled payouts.
 */
export interface ProgressStep {
  readonly at: Date;
  readonly sent: number;
  readonly paid: number;
  readonly notPaid: number;
  /** Within this interval. */
  readonly answers: number;
  readonly p95Ms: number | null;
}

export interface ProgressCourse {
  readonly sampled: number;
  readonly payouts: number;
  readonly stepSeconds: number;
  readonly steps: readonly ProgressStep[];
}

const STEPS = 60;
const SAMPLE_MAX = 4_000;

/** Returns the interval in the course of batch `b` that contains a moment. */
const stepOf = (
  at: RawBuilder<unknown>,
) => sql`greatest(least(width_bucket(extract(epoch from ${at}),
        extract(epoch from b.since), extract(epoch from b.until), ${STEPS}), ${STEPS}), 1)`;

/**
 * The ids of the sampled payouts as one array. A join with them may read whole tables, because
 * their statistics are stale while a large batch is being sent.
 */
const SAMPLED_IDS = sql`array(select id from sampled_payouts)`;

/**
 * Selects payouts of an approved batch at equal intervals. The IDs of a batch of single payouts, or
 * with corrected rows, are far apart: other batches have the IDs between them, so its own payouts
 * are counted instead.
 */
const sampledPayouts = (batchId: string) => sql`
    examined_batches as (
      select
        id,
        first_id,
        last_id,
        rows - rejected as payouts,
        last_id - first_id >= 2 * (rows - rejected) as is_scattered,
        approved_at as since,
        greatest(coalesce(finished_at, now()), approved_at + interval '1 second') as until
      from batches
      where id = ${batchId}
        and approved_at is not null
    ),
    sampled_payouts as materialized (
      select payouts.id
      from examined_batches b
        join payouts on payouts.batch_id = b.id
      where not b.is_scattered
        and payouts.id = any(array(
          select sampled_id
          from examined_batches
            cross join generate_series(first_id, last_id, greatest((last_id - first_id + 1) / ${SAMPLE_MAX}, 1)) sampled_id))
      union all
      select numbered_payouts.id
      from examined_batches b
        cross join lateral (
          select id, row_number() over (order by id) - 1 as place
          from payouts
          where id between b.first_id and b.last_id
            and batch_id = b.id
        ) numbered_payouts
      where b.is_scattered
        and numbered_payouts.place % greatest(b.payouts / ${SAMPLE_MAX}, 1) = 0
    )`;

/** Counts the payouts of the sample that were sent, settled or declined in each step. */
const TRANSITION_COUNTS = sql`
    first_transitions as (
      select ${stepOf(sql`min(transitions.at)`)} as step, transitions.event
      from examined_batches b
        cross join transitions
      where transitions.payout_id = any(${SAMPLED_IDS})
        and transitions.event in ('send', 'settle', 'decline')
      group by transitions.payout_id, transitions.event, b.since, b.until
    ),
    transition_counts as (
      select
        step,
        count(*) filter (where event = 'send') as sent,
        count(*) filter (where event = 'settle') as paid,
        count(*) filter (where event = 'decline') as not_paid
      from first_transitions
      group by step
    )`;

/** Counts the responses of the gateway in each step. */
const ANSWER_COUNTS = sql`
    answer_counts as (
      select
        ${stepOf(sql`evidence.at`)} as step,
        count(*)::int as answers,
        percentile_cont(0.95) within group (order by (evidence.facts->>'elapsedMs')::float)::float as p95
      from examined_batches b
        cross join evidence
      where evidence.payout_id = any(${SAMPLED_IDS})
        and evidence.kind = 'answer'
      group by 1
    )`;

/**
 * Returns the course of a batch since its approval, from a sample of fixed size. Null if the batch
 * is not approved.
 */
export async function findProgressCourse(
  database: Database,
  batchId: string,
): Promise<ProgressCourse | null> {
  const { rows } = await sql<{
    step: number;
    at: Date;
    step_seconds: number;
    payouts: number;
    sampled: number;
    sent: number;
    paid: number;
    not_paid: number;
    answers: number;
    p95: number | null;
  }>`
    with
    ${sampledPayouts(batchId)},
    ${TRANSITION_COUNTS},
    ${ANSWER_COUNTS}
    select
      step,
      b.since + (b.until - b.since) * step / ${STEPS} as at,
      b.payouts,
      extract(epoch from b.until - b.since)::float / ${STEPS} as step_seconds,
      (select count(*)::int from sampled_payouts) as sampled,
      coalesce(sum(transition_counts.sent) over so_far, 0)::int as sent,
      coalesce(sum(transition_counts.paid) over so_far, 0)::int as paid,
      coalesce(sum(transition_counts.not_paid) over so_far, 0)::int as not_paid,
      coalesce(answer_counts.answers, 0) as answers,
      answer_counts.p95
    from examined_batches b
      cross join generate_series(1, ${STEPS}::int) steps(step)
      left join transition_counts using (step)
      left join answer_counts using (step)
    window so_far as (order by step)
    order by step`.execute(database);
  const [first] = rows;
  if (!first) return null;
  return {
    sampled: first.sampled,
    payouts: first.payouts,
    stepSeconds: first.step_seconds,
    steps: rows.map(({ at, sent, paid, not_paid, answers, p95 }) => ({
      at,
      sent,
      paid,
      notPaid: not_paid,
      answers,
      p95Ms: p95,
    })),
  };
}

export interface UnsettledGroup {
  readonly state: PayoutState;
  readonly cause: string | null;
  readonly count: number;
  readonly sum: Money;
}

/**
 * Returns the payouts of a batch that did not settle as planned, grouped by state, reason and
 * currency, the largest groups first.
 */
export async function findUnsettledGroups(
  database: Database,
  batchId: string,
): Promise<UnsettledGroup[]> {
  const { rows } = await sql<{
    state: PayoutState;
    cause: string | null;
    count: number;
    currency: string;
    minor_digits: number;
    amount_minor: string;
  }>`
    with
    not_settled as (
      select p.state, p.reason, p.currency, p.minor_digits, p.amount_minor
      from batches b
        cross join unnest(array['declined', 'on_hold', 'returned', 'in_doubt', 'cancelled', 'resolved']) as states(state)
        -- "offset 0" keeps the index of states, whatever the statistics say while a large batch is being sent.
        cross join lateral (
          select batch_id, state, reason, currency, minor_digits, amount_minor
          from payouts
          where state = states.state
            and id between b.first_id and b.last_id
          offset 0
        ) p
      where b.id = ${batchId}
        and p.batch_id = b.id
    )
    select state, nullif(split_part(reason, ':', 1), '') as cause, count(*)::int as count, currency, minor_digits,
      sum(amount_minor) as amount_minor
    from not_settled
    group by 1, 2, 4, 5 order by 3 desc, 1, 2, 4 limit 100`.execute(database);
  return rows.map((row) => ({
    state: row.state,
    cause: row.cause,
    count: row.count,
    sum: moneyOf(row),
  }));
}
