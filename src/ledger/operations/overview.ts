import { sql } from "kysely";
import type { Database } from "#ledger/store/database.ts";
import { findProgress } from "#ledger/operations/known-progress.ts";
import type { Progress } from "#ledger/payout/progress.ts";
import { AT_GATEWAY, IN_DOUBT_SINCE, inMs, moneyOf, type Tables } from "#ledger/store/tables.ts";
import type { Money } from "#money/money.ts";

/**
 * Maximum count per lane, or per batch of a lane, so that the cost does not depend on the size of
 * the batch.
 */
const COUNTED_MAX = 10_000;

/** Payouts of one currency and reason that need attention. */
export interface ReasonGroup {
  /** Reason code. Null: no reason was given. */
  readonly cause: string | null;
  readonly count: number;
  readonly sum: Money;
  readonly oldestAt: Date;
}

/**
 * Returns payouts in doubt with the time since which the oldest has been in doubt, or payouts on
 * hold with the time of the oldest hold. There are few such rows, with an index of their own.
 */
export async function findReasonGroups(
  database: Database,
  state: "in_doubt" | "on_hold",
): Promise<ReasonGroup[]> {
  const oldest = state === "in_doubt" ? IN_DOUBT_SINCE : sql`p.updated_at`;
  // Written as a literal instead of a parameter, because only then does the planner use the partial
  // index.
  const { rows } = await sql<ReasonGroupRow>`
    select split_part(reason, ':', 1) as cause, currency, minor_digits, count(*)::int as count,
      sum(amount_minor) as amount_minor, min(${oldest}) as oldest_at
    from payouts p where state = ${sql.lit(state)}
    group by 1, 2, 3 order by count desc, 1, 2`.execute(database);
  return rows.map((row) => ({
    cause: row.cause,
    count: row.count,
    sum: moneyOf(row),
    oldestAt: row.oldest_at,
  }));
}

interface ReasonGroupRow {
  cause: string | null;
  currency: string;
  minor_digits: number;
  count: number;
  amount_minor: string;
  oldest_at: Date;
}

/**
 * Returns batches whose remaining payouts wait for a person: the canary has not settled, or the
 * batch was held back at its send time.
 */
export async function findBatchesForPerson(
  database: Database,
): Promise<{ readonly batchId: string; readonly reason: string }[]> {
  const { rows } = await sql<{ batchId: string; reason: string }>`
    select b.id as "batchId", coalesce(s.held_back, c.failed) as reason
    from batches b
      left join send_times s on s.batch_id = b.id and s.released_at is null
      left join lateral (select failed from canaries
        where batch_id = b.id and failed is not null and released_at is null order by lane limit 1) c on true
    where b.state in ('approved', 'paused') and not b.cancelling
      and (s.held_back is not null or c.failed is not null)
    order by b.id limit ${COUNTED_MAX}`.execute(database);
  return rows;
}

/**
 * Returns batches that are approved, or whose payouts are at the gateway, without the required
 * approvals. The triggers of the ledger prevent this, so somebody has changed the ledger with the
 * rights of its owner. None of their payouts is claimed.
 */
export async function findUnapprovedBatches(database: Database): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select b.id from batches b
    where (b.state in ('approved', 'paused') or b.state in ('needs_correction', 'draft', 'awaiting_approval')
        and exists (select from payouts p where p.batch_id = b.id and (p.state = 'approved' or p.${AT_GATEWAY})))
      and not exists (select from approved_batches a where a.id = b.id)
    order by b.id limit ${COUNTED_MAX}`.execute(database);
  return rows.map(({ id }) => id);
}

/**
 * Payouts of a lane that the gateway accepted and has given no readable answer about for some time.
 */
export interface SilentLane {
  readonly lane: string;
  readonly count: number;
  /** True if counting stopped at the maximum: there are at least this many. */
  readonly isMore: boolean;
  /**
   * Transaction code of the oldest one, and the time since which there was no readable answer about
   * it.
   */
  readonly code: string;
  readonly since: Date;
}

/**
 * Returns them by lane. There are few such rows, with an index of their own. At most `countedMax`
 * per lane are counted.
 */
export async function findSilentLanes(
  database: Database,
  silentMs: number,
  countedMax = COUNTED_MAX,
): Promise<SilentLane[]> {
  const { rows } = await sql<SilentLane>`
    select l.lane, s.count, s.count >= ${countedMax} as "isMore", d.transaction_code as code, s.since
    from (select distinct lane from batch_lanes) l,
      lateral (select count(*)::int as count, min(silent_since) as since, (array_agg(id order by silent_since, id))[1] as first_id
        from (select id, silent_since from payouts
          where lane = l.lane and state = 'accepted'
            and silent_since <= now() - ${inMs(silentMs)}
          order by silent_since limit ${countedMax}) c) s
      join payout_details d on d.payout_id = s.first_id
    order by l.lane`.execute(database);
  return rows;
}

/** The unsent payouts of a batch in progress, by lane. */
interface UnsentPayouts extends Progress {
  readonly batchId: string;
}

/** Returns the unsent payouts of all batches in progress. */
export async function findUnsentInProgress(database: Database): Promise<UnsentPayouts[]> {
  const { rows } = await sql<Pick<Tables["batches"], "id" | "state"> & { outcome: unknown }>`
    select id, state, outcome from batches where state in ('approved', 'paused')`.execute(database);
  const progress = await findProgress(database, rows);
  return [...progress].flatMap(([batchId, states]) =>
    states.flatMap((each) => (each.state === "approved" ? [{ batchId, ...each }] : [])),
  );
}

/** Remaining work of a lane, over the batches in progress. */
export interface LaneWork {
  readonly lane: string;
  readonly toSend: number;
  readonly submitting: number;
  readonly accepted: number;
  readonly inDoubt: number;
  /** True if counting stopped at the maximum: there are at least this many. */
  readonly isMore: boolean;
}

/** Counts the payouts to send and in progress per lane, each up to a maximum. */
export async function countLaneWork(
  database: Database,
  countedMax = COUNTED_MAX,
): Promise<LaneWork[]> {
  const { rows } = await sql<LaneWork>`
    with working as (
      select b.id, l.lane from batches b join batch_lanes l on l.batch_id = b.id
      where b.state in ('approved', 'paused')
    )
    select w.lane, sum(least(s.count, ${countedMax}))::int as "toSend", sum(g.submitting)::int as submitting,
      sum(g.accepted)::int as accepted, sum(g.in_doubt)::int as "inDoubt",
      bool_or(s.count > ${countedMax} or g.count >= ${countedMax}) as "isMore"
    from working w,
      lateral (select count(*) from (
        select from payouts where batch_id = w.id and lane = w.lane and state = 'approved'
        order by line limit ${countedMax + 1}) c) s,
      lateral (select count(*), count(*) filter (where state = 'submitting') as submitting,
          count(*) filter (where state = 'accepted') as accepted,
          count(*) filter (where state = 'in_doubt') as in_doubt
        from (select state from payouts where batch_id = w.id and lane = w.lane and ${AT_GATEWAY}
          order by due_at limit ${countedMax}) c) g
    group by w.lane order by w.lane`.execute(database);
  return rows;
}
