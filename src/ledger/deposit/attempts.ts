import { sql } from "kysely";
import { type Depositor, type DepositOrder, depositText } from "#deposit/deposit.ts";
import { DEPOSIT_LIFECYCLE } from "#deposit/lifecycle.ts";
import { appendAudit } from "#ledger/integrity/audit-hash-chain.ts";
import { holdSubjectKeys } from "#ledger/integrity/stored-keys.ts";
import type { Database } from "#ledger/store/database.ts";
import {
  linkDigest,
  linkTokenOf,
  openPart,
  referenceDigest,
  sealPart,
  sealPartOf,
  userDigest,
} from "#ledger/deposit/sealed-deposits.ts";
import type { Sealer } from "#ledger/store/sealing.ts";
import { inMs, moneyOf } from "#ledger/store/tables.ts";
import { formatMoney } from "#money/format.ts";

/** A recorded attempt. From here on the gateway may have received the request. */
export interface OpenDepositAttempt {
  readonly depositId: number;
  readonly seq: number;
  readonly number: number;
  readonly lane: string;
  readonly order: DepositOrder;
  /** For the second step of KRW deposits. */
  readonly depositor: Depositor | null;
  /** False if the stored deposit differs from the first request. Nothing may be sent then. */
  readonly intact: boolean;
  readonly step: 1 | 2;
  readonly maybeArrived: boolean;
  readonly sinceFirstSentMs: number;
}

/**
 * The sender of an attempt, its key, and its lease in milliseconds. An attempt without a recorded
 * result after the lease becomes in doubt.
 */
export interface DepositClaim {
  readonly worker: string;
  readonly keyId: string;
  readonly leaseMs: number;
}

export interface NewDeposit extends DepositClaim {
  readonly order: DepositOrder;
  readonly lane: string;
  /** The operator's own name for the deposit. */
  readonly reference: string | null;
  /** Name of the request that creates the deposit. Null: the request has no name. */
  readonly request: string | null;
  readonly actor: string;
  readonly at: Date;
}

/**
 * Records a deposit and its first attempt before any byte is sent. A named request that created a
 * deposit before creates no second one, even after a crash: `attempt` is null then. Returns
 * "other_request" if the earlier request with that name was for another payer or amount.
 */
export async function insertDeposit(
  database: Database,
  sealer: Sealer,
  deposit: NewDeposit,
): Promise<
  { readonly code: string; readonly attempt: OpenDepositAttempt | null } | "other_request"
> {
  const { order, lane, actor, at, worker, keyId, leaseMs } = deposit;
  const { transactionCode: code, money } = order;
  return database.transaction().execute(async (transaction) => {
    await holdSubjectKeys(transaction, sealer);
    const row = rowOf(sealer, deposit);
    const lease = sql<Date>`now() + ${inMs(leaseMs)}`;
    const made = await transaction
      .insertInto("deposits")
      .values({ ...row, due_at: lease, lease_until: lease, attempts: 1 })
      .onConflict((conflict) => conflict.column("request_digest").doNothing())
      .returning(["id", "seq"])
      .executeTakeFirst();
    if (!made) return knownDeposit(transaction, row);
    await transaction
      .insertInto("deposit_attempts")
      .values({
        deposit_id: made.id,
        number: 1,
        kind: "request",
        payload_digest: row.payload_digest,
        key_id: keyId,
        worker,
      })
      .execute();
    const facts = { currency: money.currency, amount: formatMoney(money) };
    await appendAudit(transaction, at, { actor, action: "request_deposit", object: code, facts });
    const attempt = {
      depositId: made.id,
      seq: made.seq,
      number: 1,
      lane,
      order,
      depositor: null,
      intact: true,
      step: 1,
      maybeArrived: false,
      sinceFirstSentMs: 0,
    } as const;
    return { code, attempt };
  });
}

/** Returns the columns of a new deposit. */
function rowOf(sealer: Sealer, { order, lane, reference, request, actor }: NewDeposit) {
  const { transactionCode: code, money, details, paymentCode, callbackUrl } = order;
  const payer = userDigest(sealer, details.user_id ?? "");
  const sent = { details, paymentCode, callbackUrl, reference };
  return {
    transaction_code: code,
    lane,
    currency: money.currency,
    amount_minor: `${money.minor}`,
    minor_digits: money.minorDigits,
    created_by: actor,
    payload_digest: sealer.digest(depositText(order)),
    user_digest: payer,
    reference_digest: reference === null ? null : referenceDigest(sealer, reference),
    request_digest: request === null ? null : sealer.digest(`deposit request ${request}`),
    link_digest: linkDigest(linkTokenOf(sealer, code)),
    sealed: sealPart(sealer, "sealed", { code, payer }, sent),
  };
}

/** Returns the deposit that an earlier request with the name of this one created. */
async function knownDeposit(
  transaction: Database,
  row: ReturnType<typeof rowOf>,
): Promise<{ readonly code: string; readonly attempt: null } | "other_request"> {
  const known = await transaction
    .selectFrom("deposits")
    .select(["transaction_code", "currency", "amount_minor", "user_digest"])
    .where("request_digest", "=", row.request_digest)
    .executeTakeFirstOrThrow();
  const isSame =
    known.currency === row.currency &&
    BigInt(known.amount_minor) === BigInt(row.amount_minor) &&
    known.user_digest.equals(row.user_digest);
  return isSame ? { code: known.transaction_code, attempt: null } : "other_request";
}

/** The move that claims a deposit for another request. */
type ClaimingEvent = "repeat" | "resend" | "send_account";

/**
 * Claims a deposit for another request and commits its attempt, in one statement. Returns null if
 * the deposit has moved on or another request is in progress.
 *
 * @param depositor the payer's account, for `send_account` only.
 */
export async function claimDeposit(
  database: Database,
  sealer: Sealer,
  event: ClaimingEvent,
  {
    code,
    seq,
    actor,
    depositor,
    ...claim
  }: DepositClaim & {
    readonly code: string;
    readonly seq: number;
    readonly actor: string;
    readonly depositor?: Depositor;
  },
): Promise<OpenDepositAttempt | null> {
  const [from] = DEPOSIT_LIFECYCLE[event].from;
  const part = { part: "depositor", code } as const;
  const given = depositor && {
    sealed: await sealPartOf(database, sealer, { ...part, content: depositor }),
    digest: sealer.digest(JSON.stringify([code, depositor.bankCode, depositor.accountNumber])),
  };
  const { rows } = await sql<ClaimedRow>`
    with
    claimed_deposits as (
      update deposits
      set
        state = ${DEPOSIT_LIFECYCLE[event].to},
        seq = seq + 1,
        attempts = attempts + 1,
        step = case when ${event} = 'send_account' then 2 else step end,
        depositor = coalesce(${given?.sealed ?? null}::bytea, depositor),
        reason = null,
        status_queries = 0,
        status_answer = null,
        status_answer_times = 0,
        lease_until = now() + ${inMs(claim.leaseMs)},
        due_at = now() + ${inMs(claim.leaseMs)},
        last_sent_at = now(),
        updated_at = now()
      where transaction_code = ${code}
        and seq = ${seq}
        and state = ${from}
        and lease_until is null
      returning id, seq, attempts, lane, currency, amount_minor, minor_digits, payload_digest,
        maybe_arrived, step, sealed, extract(epoch from now() - first_sent_at) * 1000 as since_first_sent_ms
    ),
    recorded_transitions as (
      insert into deposit_transitions (deposit_id, seq, event, from_state, to_state, actor)
      select id, seq, ${event}, ${from}, ${DEPOSIT_LIFECYCLE[event].to}, ${actor}
      from claimed_deposits
    ),
    -- The payer's account has a digest of its own.
    recorded_attempts as (
      insert into deposit_attempts (deposit_id, number, kind, payload_digest, key_id, worker)
      select id, attempts, ${given ? "account" : "request"},
        coalesce(${given?.digest ?? null}::bytea, payload_digest), ${claim.keyId}, ${claim.worker}
      from claimed_deposits
    )
    select *
    from claimed_deposits`.execute(database);
  return rows[0] ? opened(sealer, code, rows[0], depositor ?? null) : null;
}

interface ClaimedRow {
  id: number;
  seq: number;
  attempts: number;
  lane: string;
  currency: string;
  amount_minor: string;
  minor_digits: number;
  payload_digest: Buffer;
  maybe_arrived: boolean;
  step: 1 | 2;
  sealed: Buffer;
  since_first_sent_ms: string;
}

function opened(
  sealer: Sealer,
  code: string,
  row: ClaimedRow,
  depositor: Depositor | null,
): OpenDepositAttempt {
  const order = orderOf(sealer, code, row);
  return {
    depositId: row.id,
    seq: row.seq,
    number: row.attempts,
    lane: row.lane,
    order,
    depositor,
    intact: sealer.digest(depositText(order)).equals(row.payload_digest),
    step: row.step,
    maybeArrived: row.maybe_arrived,
    sinceFirstSentMs: Number(row.since_first_sent_ms),
  };
}

function orderOf(sealer: Sealer, code: string, row: ClaimedRow): DepositOrder {
  const money = moneyOf(row);
  try {
    const { details, paymentCode, callbackUrl } = openPart(sealer, "sealed", code, row.sealed);
    return { transactionCode: code, money, details, paymentCode, callbackUrl };
  } catch {
    // The details are damaged or were copied from another deposit. Empty details cannot have the
    // digest of the first request.
    return { transactionCode: code, money, details: {}, paymentCode: null, callbackUrl: null };
  }
}
