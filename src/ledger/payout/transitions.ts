import { sql } from "kysely";
import { COUNT_RESULTS } from "#ledger/payout/lane/daily-results.ts";
import type { Database } from "#ledger/store/database.ts";
import { storableJson } from "#postgres/storable-json.ts";
import { LIFECYCLE, type PayoutEvent, type PayoutState } from "#payout/payout-lifecycle.ts";
import type { InconclusiveAnswer } from "#payout/decision.ts";
import type { ReportedFee } from "#payout/record-money.ts";

/** A requested change of state, with its evidence. */
export interface Move {
  readonly payoutId: number;
  /**
   * Sequence number and state of the payout as the caller saw them. The compare-and-set compares
   * them.
   */
  readonly seq: number;
  readonly from: PayoutState;
  /**
   * Null: the state stays. Only the evidence, the answer and the time of the next query are
   * recorded.
   */
  readonly event: PayoutEvent | null;
  /**
   * Without an event: the number of earlier status queries, and the answer if its repetition
   * counts.
   */
  readonly queryCount?: number;
  readonly statusAnswer?: InconclusiveAnswer | null;
  /** Without an event: the gateway was queried and gave no readable answer. */
  readonly silent?: boolean;
  /**
   * True: an attempt has just ended whose request the gateway may still process. False: no request
   * can be in progress any longer.
   */
  readonly mayBeProcessed?: boolean;
  readonly reason: string | null;
  readonly dueInMs: number;
  readonly actor: string;
  readonly gatewayNumber?: string | null;
  /** The fee that the evidence reports. It replaces the one reported before. */
  readonly fee?: ReportedFee | null;
  /**
   * The evidence is a readable answer to a status query that was made while the ledger was frozen.
   */
  readonly answered?: boolean;
  readonly evidence: Evidence | null;
}

export interface Evidence {
  readonly kind: "answer" | "status" | "lease";
  readonly attempt: number | null;
  /** Redacted facts: HTTP status, code, message, milliseconds. No secret, no account number. */
  readonly facts: Readonly<Record<string, unknown>>;
}

/** New values of the columns of a payout: after a move, or after a status query without one. */
const UPDATED_COLUMNS = sql`
        state = move.to_state,
        seq = payouts.seq + (move.event is not null)::int,
        reason = case when move.event is null then payouts.reason else move.reason end,
        due_at = now() + move.due_in_ms * interval '1 millisecond',

        -- Status queries since the last move, and the latest answer to them.
        status_queries = case when move.event is null then payouts.status_queries + 1 else 0 end,
        status_answer = case when move.event is null then coalesce(move.heard, payouts.status_answer) end,
        status_answer_times = case
          when move.event is not null then 0
          when move.heard is null then payouts.status_answer_times
          when move.heard = payouts.status_answer then payouts.status_answer_times + 1
          else 1
        end,
        status_answer_since = case
          when move.event is not null or move.unanswered is true then null
          when move.heard is null then payouts.status_answer_since
          when move.heard = payouts.status_answer then coalesce(payouts.status_answer_since, now())
          else now()
        end,
        status_answer_at = case
          when move.event is null and move.heard is not null then now()
          when move.event is null and move.unanswered is not true then payouts.status_answer_at
        end,
        unanswered_at = case
          when move.unanswered then now()
          when not move.unanswered then null
          else payouts.unanswered_at
        end,
        in_doubt_since = case
          when move.event is null then payouts.in_doubt_since
          when move.event = 'doubt' then coalesce(payouts.in_doubt_since, now())
        end,
        silent_since = case
          when move.event is null and move.silent then coalesce(payouts.silent_since, now())
        end,
        queried_at = case when move.answered then now() else payouts.queried_at end,

        -- The gateway refused a deferred payout, so no request of it can arrive, and the time since
        -- the first request starts again. The age of a payout that is accepted without a recorded
        -- attempt (a restored ledger) counts from now.
        first_sent_at = case move.event
          when 'defer' then null
          when 'accept' then coalesce(payouts.first_sent_at, now())
          else payouts.first_sent_at
        end,
        last_sent_at = case move.event
          when 'accept' then coalesce(payouts.last_sent_at, now())
          else payouts.last_sent_at
        end,
        crashes = case move.kind
          when 'lease' then payouts.crashes + 1
          when 'answer' then 0
          else payouts.crashes
        end,
        maybe_arrived = payouts.maybe_arrived or move.to_state = 'in_doubt',
        gateway_number = coalesce(payouts.gateway_number, move.gateway_number),

        -- An unreadable fee is noted next to the last readable one.
        fee_minor = coalesce(move.fee_minor, payouts.fee_minor),
        fee_digits = coalesce(move.fee_digits, payouts.fee_digits),
        unreadable_fee = case
          when move.fee_minor is null then coalesce(move.unreadable_fee, payouts.unreadable_fee)
        end,
        settled_at = case when move.event = 'settle' then now() else payouts.settled_at end,

        -- A code that the gateway may have taken twice is checked again after the payout has ended,
        -- and so is a reported return.
        double_payment_check_at = case
          when move.event is null and move.heard is distinct from 'returned'
            then payouts.double_payment_check_at
          when move.event is null or payouts.resent
            and move.to_state in ('settled', 'declined', 'on_hold', 'returned', 'resolved')
            then now() + move.due_in_ms * interval '1 millisecond'
        end,
        -- The time of the last change of state. A status query does not change it.
        updated_at = case when move.event is null then payouts.updated_at else now() end`;

/**
 * Makes the moves in one statement and one commit, and stores all evidence, including that of moves
 * that came too late. Returns true for each move that was made, and false if somebody else moved
 * the payout first.
 *
 * The moves are one JSON parameter instead of an array per column. The separate ids and "is not
 * distinct from" keep the planner on the primary key: it estimates a hundred rows for JSON and
 * would rather scan a table that is still small, and while a batch progresses, the statistics of
 * the state columns are always stale.
 */
export async function makeMoves(database: Database, moves: readonly Move[]): Promise<boolean[]> {
  const ids = moves.map(({ payoutId }) => payoutId);
  const { rows } = await sql<{ place: number }>`
    with
    requested_moves as (
      select *
      from json_to_recordset(${storableJson(moves.map(rowOf))}::json) as move(
        place int, id bigint, seq int, from_state text, to_state text, event text, reason text,
        due_in_ms double precision, actor text, gateway_number text, asks int, heard text,
        silent boolean, answered boolean, unanswered boolean, kind text, attempt int, facts jsonb,
        fee_minor numeric, fee_digits int, unreadable_fee text)
    ),
    -- The evidence of all moves, also of those that are not made.
    recorded_evidence as (
      insert into evidence (payout_id, attempt, kind, facts)
      select id, attempt, kind, facts
      from requested_moves
      where kind is not null
      order by place
    ),
    -- The payouts that nobody else has moved or queried in the meantime.
    updated_payouts as (
      update payouts
      set ${UPDATED_COLUMNS}
      from requested_moves as move
      where payouts.id = move.id
        and payouts.id = any(${ids}::bigint[])
        and payouts.seq is not distinct from move.seq
        and payouts.state is not distinct from move.from_state
        and (
          move.event is not null
          or payouts.status_queries is not distinct from coalesce(move.asks, payouts.status_queries)
        )
      returning payouts.id, payouts.seq, payouts.lane, payouts.currency, payouts.minor_digits,
        payouts.amount_minor, payouts.first_sent_at, move.place, move.event, move.from_state,
        move.to_state, move.reason, move.actor
    ),
    counted_results as (${COUNT_RESULTS}
    ),
    recorded_transitions as (
      insert into transitions (payout_id, seq, event, from_state, to_state, reason, actor)
      select id, seq, event, from_state, to_state, reason, actor
      from updated_payouts
      where event is not null
    )
    select place
    from updated_payouts`.execute(database);

  const made = new Set(rows.map(({ place }) => place));
  return moves.map((_, place) => made.has(place));
}

/**
 * Returns a move as a row of the statement.
 *
 * @throws Error for a move that the lifecycle does not contain.
 */
function rowOf(move: Move, place: number) {
  const { event, from, evidence, fee = null } = move;
  if (event !== null && !LIFECYCLE[event].from.includes(from)) {
    throw new Error(`illegal move: ${event} from ${from}`);
  }
  return {
    place,
    id: move.payoutId,
    seq: move.seq,
    from_state: from,
    to_state: event === null ? from : LIFECYCLE[event].to,
    event,
    reason: move.reason,
    due_in_ms: move.dueInMs,
    actor: move.actor,
    gateway_number: move.gatewayNumber ?? null,
    asks: move.queryCount ?? null,
    heard: move.statusAnswer ?? null,
    silent: move.silent ?? false,
    answered: move.answered ?? false,
    unanswered: move.mayBeProcessed ?? null,
    kind: evidence?.kind ?? null,
    attempt: evidence?.attempt ?? null,
    facts: evidence?.facts ?? null,
    fee_minor: fee?.kind === "read" ? fee.fee.minor.toString() : null,
    fee_digits: fee?.kind === "read" ? fee.fee.minorDigits : null,
    unreadable_fee: fee?.kind === "unreadable" ? fee.text : null,
  };
}

/** Approves or cancels each payout whose state allows it, never one that may have been sent. */
export async function movePayouts(
  transaction: Database,
  batchId: string,
  event: "approve" | "cancel",
  actor: string,
): Promise<number> {
  const { from, to } = LIFECYCLE[event];
  await sql`set local statement_timeout = 0`.execute(transaction);
  const { rows } = await sql<{ moved: number }>`
    with
    id_ranges as (
      select first_id, last_id
      from batches
      where id = ${batchId}
    ),
    unsent_payouts as (
      select payouts.id, payouts.state
      from payouts, id_ranges
      where payouts.id between id_ranges.first_id and id_ranges.last_id
        and payouts.batch_id = ${batchId}
        and payouts.state = any(${[...from]})
        and not payouts.maybe_arrived
      order by payouts.id
      for update of payouts
    ),
    updated_payouts as (
      update payouts
      set
        state = ${to},
        seq = payouts.seq + 1,
        due_at = now(),
        updated_at = now(),
        reason = ${event === "cancel" ? "cancelled" : null}
      from unsent_payouts
      where payouts.id = unsent_payouts.id
      returning payouts.id, payouts.seq, unsent_payouts.state as from_state
    ),
    -- A cancelled payout no longer pays a declined one again, so another batch may.
    ended_retries as (
      update descendants
      set live = false
      from updated_payouts
      where payout_id = updated_payouts.id
        and ${event} = 'cancel'
    ),
    recorded_transitions as (
      insert into transitions (payout_id, seq, event, from_state, to_state, actor)
      select id, seq, ${event}, from_state, ${to}, ${actor}
      from updated_payouts
    )
    select count(*)::int as moved
    from updated_payouts`.execute(transaction);
  return rows[0]?.moved ?? 0;
}
