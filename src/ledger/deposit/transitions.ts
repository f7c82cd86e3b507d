import { sql } from "kysely";
import { DEFAULT_EXPIRY_MS } from "#deposit/decide-status.ts";
import type { KnownDeposit, DepositFacts } from "#deposit/decision.ts";
import { DEPOSIT_LIFECYCLE, type DepositEvent, type DepositState } from "#deposit/lifecycle.ts";
import { stepsOf } from "#deposit/requirements.ts";
import { type Database, inTransaction } from "#ledger/store/database.ts";
import { storableJson } from "#postgres/storable-json.ts";
import { sealInstructions } from "#ledger/deposit/sealed-deposits.ts";
import type { Sealer } from "#ledger/store/sealing.ts";
import { inMs, moneyOfSameCurrency, moneyOf } from "#ledger/store/tables.ts";
import type { InconclusiveAnswer } from "#payout/decision.ts";

/** A requested change of state, with its evidence. */
export interface DepositMoveOrder {
  readonly code: string;
  /** Sequence number and state as the caller saw them. The compare-and-set compares them. */
  readonly seq: number;
  readonly from: DepositState;
  /**
   * Null: the state stays. Only the evidence, the answer and the time of the next query are
   * recorded.
   */
  readonly event: DepositEvent | null;
  /** Null without an event: the current reason is kept. */
  readonly reason: string | null;
  readonly statusAnswer?: InconclusiveAnswer | null;
  /**
   * Number of status queries when the query was made, so that only one of two simultaneous answers
   * counts. Absent: the move is not an answer to a query.
   */
  readonly queryCount?: number;
  readonly dueInMs: number | null;
  readonly facts?: DepositFacts;
  readonly actor: string;
  readonly evidence: {
    readonly kind: "answer" | "status";
    readonly attempt: number | null;
    /** Redacted facts: HTTP status, code, message, milliseconds. No secret, no account number. */
    readonly facts: Readonly<Record<string, unknown>>;
  } | null;
}

/**
 * Makes the move in one statement and stores its evidence. Returns false if the move came too late;
 * its evidence is stored all the same.
 */
export const moveDeposit = (
  database: Database,
  sealer: Sealer,
  move: DepositMoveOrder,
): Promise<boolean> =>
  move.facts?.accepted || move.facts?.banks
    ? inTransaction(database, async (transaction) =>
        storeMove(transaction, move, await sealInstructions(transaction, sealer, move)),
      )
    : storeMove(database, move, null);

async function storeMove(
  database: Database,
  move: DepositMoveOrder,
  paymentDetails: Buffer | null,
): Promise<boolean> {
  const { code, seq, from, event, reason, dueInMs, actor, evidence, statusAnswer } = move;
  const { facts = {} } = move;
  if (event !== null && !DEPOSIT_LIFECYCLE[event].from.includes(from)) {
    throw new Error(`illegal move: ${event} from ${from}`);
  }
  const expiry = facts.accepted?.expiry;
  const to = event === null ? from : DEPOSIT_LIFECYCLE[event].to;
  // Taking a query postpones the deposit. If the deposit is due again by now, something was heard
  // meanwhile, and it stays due.
  const isAnswer = event === null && move.queryCount !== undefined;
  const { rows } = await sql<{ id: number }>`
    with
    recorded_evidence as (
      insert into deposit_evidence (deposit_id, attempt, kind, facts)
      select
        id,
        ${evidence?.attempt ?? null}::int,
        ${evidence?.kind ?? ""},
        ${storableJson(evidence?.facts ?? {})}::jsonb
      from deposits
      where transaction_code = ${code}
        and ${evidence !== null}
    ),
    updated_deposits as (
      update deposits d
      set
        state = ${to},
        seq = d.seq + ${event === null ? 0 : 1}::int,
        reason = ${event === null ? sql`coalesce(${reason}, d.reason)` : reason},
        due_at = case
          when ${isAnswer} and d.due_at <= now() then d.due_at
          else now() + ${inMs(dueInMs)}
        end,
        lease_until = null,
        status_queries = ${event === null ? sql`d.status_queries + 1` : 0},
        status_answer = ${event === null ? sql`coalesce(${statusAnswer ?? null}, d.status_answer)` : null},
        status_answer_times = ${event === null ? timesInRowSql(statusAnswer ?? null) : 0},
        maybe_arrived = d.maybe_arrived or ${to} = 'in_doubt',
        step = case when ${to} = 'awaiting_bank' then 1 else d.step end,
        gateway_number = coalesce(${facts.gatewayNumber ?? null}, d.gateway_number),
        payable_minor = coalesce(${minorText(facts.payable)}::numeric, d.payable_minor),
        paid_minor = coalesce(${minorText(facts.paid)}::numeric, d.paid_minor),
        payment_details = coalesce(${paymentDetails}::bytea, d.payment_details),
        expires_at = coalesce(${expiry?.atMs == null ? null : new Date(expiry.atMs)}::timestamptz, d.expires_at),
        expires_text = coalesce(${expiry?.at ?? null}, d.expires_text),
        expires_zone = coalesce(${expiry?.timezone ?? null}, d.expires_zone),
        updated_at = ${event === null ? sql`d.updated_at` : sql`now()`}
      where d.transaction_code = ${code}
        and d.seq = ${seq}
        and d.state = ${from}
        and (${move.queryCount ?? null}::int is null or d.status_queries = ${move.queryCount ?? null}::int)
      returning d.id, d.seq
    ),
    recorded_transitions as (
      insert into deposit_transitions (deposit_id, seq, event, from_state, to_state, reason, actor)
      select id, seq, ${event}, ${from}, ${to}, ${reason}, ${actor}
      from updated_deposits
      where ${event !== null}
    )
    select id
    from updated_deposits`.execute(database);
  return rows.length > 0;
}

const minorText = (minor: bigint | undefined): string | null =>
  minor === undefined ? null : `${minor}`;

const timesInRowSql = (
  heard: InconclusiveAnswer | null,
) => sql`case when ${heard}::text is null then d.status_answer_times
  when d.status_answer = ${heard}::text then d.status_answer_times + 1 else 1 end`;

/** A deposit that has due work. */
export interface DueDeposit extends KnownDeposit {
  readonly depositId: number;
  readonly code: string;
  readonly lane: string;
  readonly seq: number;
  readonly queryCount: number;
}

/**
 * Takes the due work of one deposit and postpones it by `leaseMs`, so that other workers do not
 * repeat it. A request without a result at the end of its lease becomes in doubt, because the
 * gateway may or may not have received it (F02, F03).
 */
export async function claimDueDeposit(
  database: Database,
  code: string,
  leaseMs: number,
): Promise<DueDeposit | null> {
  await sql`
    with
    -- Deposits whose worker may have died.
    expired_deposits as (
      update deposits
      set
        state = 'in_doubt',
        seq = seq + 1,
        reason = 'lease_expired',
        due_at = now(),
        lease_until = null,
        status_queries = 0,
        status_answer = null,
        status_answer_times = 0,
        maybe_arrived = true,
        updated_at = now()
      where transaction_code = ${code}
        and state = 'requested'
        and lease_until <= now()
      returning id, seq, attempts
    ),
    recorded_evidence as (
      insert into deposit_evidence (deposit_id, attempt, kind, facts)
      select id, attempts, 'lease', '{"text": "no response recorded within the lease"}'
      from expired_deposits
    )
    insert into deposit_transitions (deposit_id, seq, event, from_state, to_state, reason, actor)
    select id, seq, 'doubt', 'requested', 'in_doubt', 'lease_expired', 'sweep'
    from expired_deposits`.execute(database);
  const { rows } = await sql<DueDepositRow>`
    update deposits d set due_at = now() + ${inMs(leaseMs)}
    where transaction_code = ${code} and due_at <= now() and lease_until is null
    returning ${DUE_COLUMNS}`.execute(database);
  return rows[0] ? dueDepositOf(rows[0]) : null;
}

/**
 * Returns the same facts, whether or not anything is due. Null if the transaction code is not one
 * of payrun's.
 */
export async function findDepositWork(
  database: Database,
  code: string,
): Promise<DueDeposit | null> {
  const { rows } = await sql<DueDepositRow>`
    select ${DUE_COLUMNS} from deposits d where transaction_code = ${code}`.execute(database);
  return rows[0] ? dueDepositOf(rows[0]) : null;
}

/** Returns the codes of deposits with due work, the longest overdue first. */
export async function findDueDeposits(database: Database, limit: number): Promise<string[]> {
  const { rows } = await sql<{ code: string }>`
    select transaction_code as code from deposits where due_at <= now() order by due_at limit ${limit}`.execute(
    database,
  );
  return rows.map(({ code }) => code);
}

/** Makes the next status query due now. A callback may do only this. */
export async function makeDepositQueryDue(database: Database, code: string): Promise<void> {
  await sql`update deposits set due_at = now()
    where transaction_code = ${code} and state <> 'requested'`.execute(database);
}

/**
 * Stores facts about a deposit that are not the answer to a status query: a callback, once (F71),
 * or the answer to a reference.
 */
export async function storeDepositEvidence(
  database: Database,
  depositId: number,
  kind: "callback" | "answer",
  attempt: number | null,
  facts: Readonly<Record<string, unknown>>,
): Promise<void> {
  const text = storableJson(facts);
  await database.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(hashtext(${`payrun callback ${text}`}))`.execute(
      transaction,
    );
    await sql`insert into deposit_evidence (deposit_id, attempt, kind, facts)
      select ${depositId}, ${attempt}::int, ${kind}, ${text}::jsonb where not exists (
        select from deposit_evidence where deposit_id = ${depositId} and kind = ${kind}
          and attempt is not distinct from ${attempt}::int and facts = ${text}::jsonb)`.execute(
      transaction,
    );
  });
}

const DUE_COLUMNS = sql`d.id, d.transaction_code, d.lane, d.seq, d.state, d.reason, d.step, d.currency, d.amount_minor,
  d.minor_digits, d.payable_minor, d.paid_minor, d.attempts, d.status_answer, d.status_answer_times, d.maybe_arrived,
  d.status_queries,
  extract(epoch from now() - d.first_sent_at) * 1000 as since_first_sent_ms,
  extract(epoch from now() - d.last_sent_at) * 1000 as since_last_sent_ms,
  extract(epoch from coalesce(d.expires_at, d.first_sent_at + ${sql.lit(DEFAULT_EXPIRY_MS)} * interval '1 millisecond')
    - now()) * 1000 as until_expiry_ms`;

interface DueDepositRow {
  id: number;
  transaction_code: string;
  lane: string;
  seq: number;
  state: DepositState;
  reason: string | null;
  step: 1 | 2;
  currency: string;
  amount_minor: string;
  minor_digits: number;
  payable_minor: string | null;
  paid_minor: string | null;
  attempts: number;
  status_answer: InconclusiveAnswer | null;
  status_answer_times: number;
  maybe_arrived: boolean;
  status_queries: number;
  since_first_sent_ms: string;
  since_last_sent_ms: string;
  until_expiry_ms: string;
}

function dueDepositOf(row: DueDepositRow): DueDeposit {
  const money = moneyOf(row);
  return {
    depositId: row.id,
    code: row.transaction_code,
    lane: row.lane,
    seq: row.seq,
    state: row.state,
    reason: row.reason,
    step: row.step,
    steps: stepsOf(row.currency),
    money,
    payable: moneyOfSameCurrency(money, row.payable_minor),
    paid: moneyOfSameCurrency(money, row.paid_minor),
    attempts: row.attempts,
    statusAnswer: row.status_answer,
    statusAnswerTimes: row.status_answer_times,
    maybeArrived: row.maybe_arrived,
    queryCount: row.status_queries,
    sinceFirstSentMs: Number(row.since_first_sent_ms),
    sinceLastSentMs: Number(row.since_last_sent_ms),
    untilExpiryMs: Number(row.until_expiry_ms),
  };
}
