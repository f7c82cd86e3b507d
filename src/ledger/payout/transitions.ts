import { sql } from "kysely";
import type { Database } from "#ledger/store/database.ts";
import { LIFECYCLE, type PayoutEvent, type PayoutState } from "#payout/payout-lifecycle.ts";
import type { Heard } from "#payout/decision.ts";

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
  readonly asks?: number;
  readonly heard?: Heard | null;
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

/**
 * Makes the moves in one statement and one commit, and stores all evidence, including that of moves
 * that came too late. Returns true for each move that was made, and false if somebody else moved
 * the payout first.
 */
export async function makeMoves(database: Database, moves: readonly Move[]): Promise<boolean[]> {
  for (const { event, from } of moves) {
    if (event !== null && !LIFECYCLE[event].from.includes(from)) {
      throw new Error(`illegal move: ${event} from ${from}`);
    }
  }
  const rows = moves.map((move, place) => ({
    place,
    id: move.payoutId,
    seq: move.seq,
    from_state: move.from,
    to_state: move.event === null ? move.from : LIFECYCLE[move.event].to,
    event: move.event,
    reason: move.reason,
    due_in_ms: move.dueInMs,
    actor: move.actor,
    gateway_number: move.gatewayNumber ?? null,
    asks: move.asks ?? null,
    heard: move.heard ?? null,
    silent: move.silent ?? false,
    answered: move.answered ?? false,
    unanswered: move.mayBeProcessed ?? null,
    kind: move.evidence?.kind ?? null,
    attempt: move.evidence?.attempt ?? null,
    facts: move.evidence?.facts ?? null,
  }));
  const given = storableJson(rows);

  // One JSON parameter instead of an array per column. The separate ids and "is not distinct from"
  // keep the planner on the primary key: it estimates a hundred rows for JSON and would rather scan
  // a table that is still small, and while a batch progresses, the statistics of the state columns
  // are always stale.
  const ids = moves.map(({ payoutId }) => payoutId);
  const { rows: moved } = await sql<{ place: number }>`
    with wanted as (
      select * from json_to_recordset(${given}::json) as v(
        place int, id bigint, seq int, from_state text, to_state text, event text, reason text,
        due_in_ms double precision, actor text, gateway_number text, asks int, heard text, silent boolean, answered boolean,
        unanswered boolean, kind text,
        attempt int, facts jsonb)
    ), kept as (
      insert into evidence (payout_id, attempt, kind, facts)
      select id, attempt, kind, facts from wanted where kind is not null order by place
    ), moved as (
      update payouts p set
        state          = v.to_state,
        seq            = p.seq + (v.event is not null)::int,
        reason         = case when v.event is null then p.reason else v.reason end,
        due_at         = now() + v.due_in_ms * interval '1 millisecond',
        status_queries           = case when v.event is null then p.status_queries + 1 else 0 end,
        status_answer          = case when v.event is null then coalesce(v.heard, p.status_answer) end,
        status_answer_times    = case when v.event is not null then 0 when v.heard is null then p.status_answer_times
                              when v.heard = p.status_answer then p.status_answer_times + 1 else 1 end,
        status_answer_since    = case when v.event is not null or v.unanswered is true then null when v.heard is null then p.status_answer_since
                              when v.heard = p.status_answer then coalesce(p.status_answer_since, now()) else now() end,
        status_answer_at       = case when v.event is null and v.heard is not null then now()
                              when v.event is null and v.unanswered is not true then p.status_answer_at end,
        unanswered_at  = case when v.unanswered then now() when not v.unanswered then null else p.unanswered_at end,
        silent_since   = case when v.event is null and v.silent then coalesce(p.silent_since, now()) end,
        -- Refused for good reason: nothing of it can arrive, and the clock of what may arrive starts anew.
        -- Accepted without an attempt on record (a restored ledger): its age counts from here.
        first_sent_at  = case v.event when 'defer' then null when 'accept' then coalesce(p.first_sent_at, now())
                              else p.first_sent_at end,
        last_sent_at   = case v.event when 'accept' then coalesce(p.last_sent_at, now()) else p.last_sent_at end,
        crashes        = case when v.kind = 'lease' then p.crashes + 1 when v.kind = 'answer' then 0 else p.crashes end,
        maybe_arrived  = p.maybe_arrived or v.to_state = 'in_doubt',
        gateway_number = coalesce(p.gateway_number, v.gateway_number),
        -- A code that may have been taken twice is looked at again after its end.
        check_at       = case when v.event is null then p.check_at when p.repeated and v.to_state in ('settled', 'declined', 'on_hold', 'resolved')
                              then now() + v.due_in_ms * interval '1 millisecond' end,
        queried_at       = case when v.answered then now() else p.queried_at end,
        -- Since when it is in its state: to be asked about makes no held payout younger.
        updated_at     = case when v.event is null then p.updated_at else now() end
      from wanted v
      where p.id = v.id and p.id = any(${ids}::bigint[])
        and p.seq is not distinct from v.seq
        and p.state is not distinct from v.from_state
        and (v.event is not null or p.status_queries is not distinct from coalesce(v.asks, p.status_queries))
      returning p.id, p.seq, v.place, v.event, v.from_state, v.to_state, v.reason, v.actor
    ), told as (
      insert into transitions (payout_id, seq, event, from_state, to_state, reason, actor)
      select id, seq, event, from_state, to_state, reason, actor from moved where event is not null
    )
    select place from moved`.execute(database);

  const made = new Set(moved.map(({ place }) => place));
  return moves.map((_, place) => made.has(place));
}

/** Matches the form in which JSON.stringify writes a NUL or half of a surrogate pair. */
const UNSTORABLE = /\\u(?:0000|d[89a-f])/;

/**
 * Serialises a value without NUL or half of a surrogate pair, which PostgreSQL cannot store. Texts
 * of the gateway may contain either, also where they were cut, and one of them would fail the
 * outcomes of the whole group.
 */
export function storableJson(value: unknown): string {
  const text = JSON.stringify(value);
  if (!UNSTORABLE.test(text)) return text;
  return JSON.stringify(value, (_name, part: unknown) =>
    typeof part === "string" ? part.replaceAll("\u0000", "\ufffd").toWellFormed() : part,
  );
}
