import { sql } from "kysely";
import type { Database } from "#ledger/store/database.ts";
import { longestProcessingTime } from "#ledger/payout/lane/processing-times.ts";
import { isInvalidRetry } from "#ledger/payout/retry-batches.ts";
import { AT_GATEWAY, inMs, moneyOf } from "#ledger/store/tables.ts";
import { isWaitEnded } from "#ledger/payout/wait-endings.ts";
import type { PayoutState } from "#payout/payout-lifecycle.ts";
import { PAID_TWICE_REASONS } from "#payout/second-payment.ts";
import type { InconclusiveAnswer, KnownPayout } from "#payout/decision.ts";

/** A payout whose status is to be queried now. */
export interface StatusQuery extends KnownPayout {
  readonly payoutId: number;
  readonly batchId: string;
  readonly lane: string;
  readonly seq: number;
  /** Number of status queries since the last change of state, without this one. */
  readonly queryCount: number;
  readonly transactionCode: string;
}

export const STATUS_QUERY_COLUMNS = sql`p.id, p.batch_id, p.lane, p.seq, d.transaction_code, p.state, p.reason, p.currency,
  p.amount_minor, p.minor_digits, p.attempts, p.crashes, p.status_queries, p.status_answer, p.status_answer_times, p.maybe_arrived,
  exists (select from epoch where frozen_at is not null) as is_frozen,
  ${isInvalidRetry(sql`p.id`)} as is_overtaken, p.gateway_number, p.resent,
  case when p.resent then (
    select count(distinct attempt)::int from evidence e
    where e.payout_id = p.id and e.kind = 'answer' and e.facts->>'outcome' = 'accepted') else 0 end as accepted_times,
  case when p.state = 'resolved' then array(
    select t.reason from transitions t
    where t.payout_id = p.id and split_part(t.reason, ':', 1) = any(${[...PAID_TWICE_REASONS]}::text[])
    ) else '{}' end as taken_twice_before,
  extract(epoch from now() - p.first_sent_at) * 1000 as since_first_sent_ms,
  extract(epoch from now() - p.last_sent_at) * 1000 as since_last_sent_ms,
  case when not ${isWaitEnded} then extract(epoch from now() - p.unanswered_at) * 1000 end as since_unanswered_ms,
  extract(epoch from now() - p.status_answer_since) * 1000 as heard_for_ms,
  extract(epoch from now() - p.status_answer_at) * 1000 as heard_ago_ms,
  ${longestProcessingTime(sql`p.lane`)} as slowest_ms`;

/**
 * Takes due status queries of one batch and lane. Each is first postponed by `leaseMs`, so that no
 * other worker makes the same query. If the worker dies, the query is due again after that time.
 */
export async function claimStatusQueries(
  database: Database,
  take: {
    readonly batchId: string;
    readonly lane: string;
    readonly sizeMax: number;
    readonly leaseMs: number;
  },
): Promise<StatusQuery[]> {
  const { rows } = await sql<StatusQueryRow>`
    with due_payouts as (
      select id
      from payouts
      where batch_id = ${take.batchId}
        and lane = ${take.lane}
        and ${AT_GATEWAY}
        and state <> 'submitting'
        and due_at <= now()
      order by due_at
      limit ${take.sizeMax}
      for update skip locked
    )
    update payouts p
    set due_at = now() + ${inMs(take.leaseMs)}
    from due_payouts
      join payout_details d on d.payout_id = due_payouts.id
    where p.id = due_payouts.id
    returning ${STATUS_QUERY_COLUMNS}`.execute(database);
  return rows.map(statusQueryOf);
}

/**
 * Takes payouts in a final state, of all batches, whose code may have been accepted twice or whose
 * return was reported, and which are due for another check.
 */
export async function claimRepeatedCodeChecks(
  database: Database,
  take: { readonly sizeMax: number; readonly leaseMs: number },
): Promise<StatusQuery[]> {
  const { rows } = await sql<StatusQueryRow>`
    with due_payouts as (
      select id
      from payouts
      where double_payment_check_at <= now()
      order by double_payment_check_at
      limit ${take.sizeMax}
      for update skip locked
    )
    update payouts p
    set double_payment_check_at = now() + ${inMs(take.leaseMs)}
    from due_payouts
      join payout_details d on d.payout_id = due_payouts.id
    where p.id = due_payouts.id
    returning ${STATUS_QUERY_COLUMNS}`.execute(database);
  return rows.map(statusQueryOf);
}

/**
 * Sets the time of the next check of a payout in a final state. Null: this was the last one. A
 * reported return is checked until it is confirmed or contradicted.
 */
export async function scheduleRepeatedCodeCheck(
  database: Database,
  payoutId: number,
  inMsFromNow: number | null,
): Promise<void> {
  await sql`update payouts set double_payment_check_at = now() + ${inMs(inMsFromNow)}
    where id = ${payoutId} and double_payment_check_at is not null
      and status_answer is distinct from 'returned'`.execute(database);
}

/**
 * Queries the status of settled payouts that a comparison has found as returned on a statement. The
 * statement alone does not make them returned.
 */
export async function queryListedReturns(
  transaction: Database,
  { lane, comparison }: { readonly lane: string; readonly comparison: string },
): Promise<void> {
  await sql`
    update payouts set double_payment_check_at = now()
    where state = 'settled' and double_payment_check_at is null and id in (
      select payout_id from breaks
      where lane = ${lane} and comparison = ${comparison} and class = 'late_return'
        and state in ('open', 'proposed'))`.execute(transaction);
}

/**
 * Returns the same facts about one payout in any state, or null if the code is not one of payrun's.
 */
export async function findStatusQuery(
  database: Database,
  transactionCode: string,
): Promise<StatusQuery | null> {
  const { rows } = await sql<StatusQueryRow>`
    select ${STATUS_QUERY_COLUMNS} from payout_details d join payouts p on p.id = d.payout_id
    where d.transaction_code = ${transactionCode}`.execute(database);
  return rows[0] ? statusQueryOf(rows[0]) : null;
}

/**
 * Moves payouts whose worker has not returned within its lease from `submitting` to `in_doubt`,
 * because it is unknown whether the worker died before or after the gateway received the request
 * (F02, F03). Returns their number.
 */
export async function expireLeases(database: Database, batchId: string): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    with
    -- Payouts whose worker may have died.
    expired_payouts as (
      select id
      from payouts
      where batch_id = ${batchId}
        and ${AT_GATEWAY}
        and state = 'submitting'
        and due_at <= now()
      order by lane, due_at
      limit 1000
      for update skip locked
    ),
    updated_payouts as (
      update payouts
      set
        state = 'in_doubt',
        seq = payouts.seq + 1,
        reason = 'lease_expired',
        due_at = now(),
        crashes = payouts.crashes + 1,
        status_queries = 0,
        status_answer = null,
        status_answer_times = 0,
        status_answer_since = null,
        status_answer_at = null,
        maybe_arrived = true,
        -- The lease is longer than the timeout of the request, so the request has ended.
        unanswered_at = now(),
        in_doubt_since = coalesce(payouts.in_doubt_since, now()),
        updated_at = now()
      from expired_payouts
      where payouts.id = expired_payouts.id
      returning payouts.id, payouts.seq, payouts.attempts
    ),
    recorded_evidence as (
      insert into evidence (payout_id, attempt, kind, facts)
      select id, attempts, 'lease', '{"text": "no response recorded within the lease"}'
      from updated_payouts
    ),
    recorded_transitions as (
      insert into transitions (payout_id, seq, event, from_state, to_state, reason, actor)
      select id, seq, 'doubt', 'submitting', 'in_doubt', 'lease_expired', 'sweep'
      from updated_payouts
    )
    select id
    from updated_payouts`.execute(database);
  return rows.length;
}

/** Makes the next status query of a payout due now. A callback may do only this. */
export async function makeStatusQueryDue(database: Database, payoutId: number): Promise<void> {
  await sql`update payouts set due_at = now()
    where id = ${payoutId} and state in ('in_doubt', 'accepted')`.execute(database);
}

export interface StatusQueryRow {
  id: number;
  batch_id: string;
  lane: string;
  seq: number;
  transaction_code: string;
  state: PayoutState;
  reason: string | null;
  currency: string;
  amount_minor: string;
  minor_digits: number;
  attempts: number;
  crashes: number;
  status_queries: number;
  status_answer: InconclusiveAnswer | null;
  status_answer_times: number;
  maybe_arrived: boolean;
  is_frozen: boolean;
  is_overtaken: boolean;
  gateway_number: string | null;
  resent: boolean;
  accepted_times: number;
  taken_twice_before: string[];
  since_first_sent_ms: string | null;
  since_last_sent_ms: string | null;
  since_unanswered_ms: string | null;
  heard_for_ms: string | null;
  heard_ago_ms: string | null;
  slowest_ms: number;
}

/** Converts a row of the ledger into a status query. */
export const statusQueryOf = (row: StatusQueryRow): StatusQuery => ({
  payoutId: row.id,
  batchId: row.batch_id,
  lane: row.lane,
  seq: row.seq,
  transactionCode: row.transaction_code,
  state: row.state,
  reason: row.reason,
  money: moneyOf(row),
  attempts: row.attempts,
  crashes: row.crashes,
  queryCount: row.status_queries,
  statusAnswer: row.status_answer,
  statusAnswerTimes: row.status_answer_times,
  maybeArrived: row.maybe_arrived,
  isFrozen: row.is_frozen,
  isInvalidRetry: row.is_overtaken,
  gatewayNumber: row.gateway_number,
  isRepeated: row.resent,
  acceptedTimes: row.accepted_times,
  paidTwiceBefore: row.taken_twice_before,
  sinceFirstSentMs: Number(row.since_first_sent_ms ?? 0),
  sinceLastSentMs: Number(row.since_last_sent_ms ?? 0),
  sinceUnansweredMs: row.since_unanswered_ms === null ? null : Number(row.since_unanswered_ms),
  statusAnswerForMs: Number(row.heard_for_ms ?? 0),
  statusAnswerAgoMs: Number(row.heard_ago_ms ?? 0),
  slowestMs: row.slowest_ms,
});
