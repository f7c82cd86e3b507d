import { type RawBuilder, type Selectable, sql } from "kysely";
import type { DepositDetails } from "#deposit/deposit.ts";
import type { DepositState } from "#deposit/lifecycle.ts";
import type { DepositBank, Destination } from "#deposit/outcome.ts";
import type { Database } from "#ledger/store/database.ts";
import type { DepositTables } from "#ledger/store/deposit-tables.ts";
import {
  type GivenAccount,
  linkDigest,
  openDetails,
  openPart,
  referenceDigest,
  userDigest,
} from "#ledger/deposit/sealed-deposits.ts";
import type { Sealer } from "#ledger/store/sealing.ts";
import { moneyOfSameCurrency, moneyOf } from "#ledger/store/tables.ts";
import type { Money } from "#money/money.ts";

/** The current state of a deposit. */
export interface Deposit {
  readonly id: number;
  readonly code: string;
  readonly lane: string;
  readonly state: DepositState;
  readonly reason: string | null;
  /** Step of a KRW deposit: 2 after the payer's account was sent to the gateway. */
  readonly step: 1 | 2;
  /** The requested amount. */
  readonly money: Money;
  /** The amount that the gateway asks the payer to pay. Null: the gateway has not named one. */
  readonly payable: Money | null;
  /** The amount that the gateway reports as paid. Null: no payment is proven. */
  readonly paid: Money | null;
  readonly details: DepositDetails;
  readonly paymentCode: string | null;
  /** The operator's own name for the deposit. */
  readonly reference: string | null;
  /** True if the payer was erased: there are no details. */
  readonly isErased: boolean;
  readonly gatewayNumber: string | null;
  /**
   * Payment destination of the payer. Null: the gateway has not named one, or the answer with it
   * was lost.
   */
  readonly destination: Destination | null;
  /** The banks to choose from (KRW). */
  readonly banks: readonly DepositBank[] | null;
  readonly depositor: GivenAccount | null;
  /** Null: the gateway named no expiry. */
  readonly expiry: {
    readonly text: string;
    readonly zone: string;
    /** Null: the text and the zone do not define a time. */
    readonly at: Date | null;
  } | null;
  readonly seq: number;
  readonly attempts: number;
  /** True if an attempt has started and its result is not recorded yet. */
  readonly isUnderWay: boolean;
  readonly maybeArrived: boolean;
  readonly dueAt: Date | null;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Finds a deposit by its transaction code. Null: none has this code. */
export const findDeposit = (
  database: Database,
  sealer: Sealer,
  code: string,
): Promise<Deposit | null> => findBy(database, sealer, "transaction_code", code);

/** Returns the deposit whose payment page has this token. */
export const findDepositByLink = (
  database: Database,
  sealer: Sealer,
  token: string,
): Promise<Deposit | null> => findBy(database, sealer, "link_digest", linkDigest(token));

async function findBy(
  database: Database,
  sealer: Sealer,
  column: "transaction_code" | "link_digest",
  value: string | Buffer,
): Promise<Deposit | null> {
  const row = await database
    .selectFrom("deposits")
    .selectAll()
    .where(column, "=", value)
    .executeTakeFirst();
  return row ? depositOf(sealer, row) : null;
}

/** Search conditions for deposits. All of them must hold. */
export interface DepositFilter {
  /** Prefix of the transaction code. */
  readonly code?: string | undefined;
  readonly states?: readonly DepositState[] | undefined;
  readonly currency?: string | undefined;
  readonly userId?: string | undefined;
  readonly reference?: string | undefined;
  readonly gatewayNumber?: string | undefined;
  readonly from?: Date | undefined;
  /** Exclusive upper bound. */
  readonly until?: Date | undefined;
}

/** Returns the condition of a filter. */
export function depositCondition(
  sealer: Sealer,
  { code, states, currency, userId, reference, gatewayNumber, from, until }: DepositFilter,
): RawBuilder<boolean> {
  const conditions: RawBuilder<boolean>[] = [sql`true`];
  // Not `like`: no character of the code may act as a pattern.
  if (code) conditions.push(sql`starts_with(transaction_code, ${code})`);
  if (states) conditions.push(sql`state = any(${[...states]})`);
  if (currency) conditions.push(sql`currency = ${currency}`);
  if (userId) conditions.push(sql`user_digest = ${userDigest(sealer, userId)}`);
  if (reference) conditions.push(sql`reference_digest = ${referenceDigest(sealer, reference)}`);
  if (gatewayNumber) conditions.push(sql`gateway_number = ${gatewayNumber}`);
  if (from) conditions.push(sql`created_at >= ${from}`);
  if (until) conditions.push(sql`created_at < ${until}`);
  return sql.join<boolean>(conditions, sql` and `);
}

/** Returns a page of deposits by keyset. */
export async function listDeposits(
  database: Database,
  sealer: Sealer,
  filter: DepositFilter,
  page: {
    readonly sort: "newest" | "oldest";
    readonly limit: number;
    readonly after: number | null;
  },
): Promise<{ readonly items: readonly Deposit[]; readonly next: number | null }> {
  const isNewest = page.sort === "newest";
  const found = database.selectFrom("deposits").selectAll().where(depositCondition(sealer, filter));
  const rows = await (page.after === null
    ? found
    : found.where("id", isNewest ? "<" : ">", page.after)
  )
    .orderBy("id", isNewest ? "desc" : "asc")
    .limit(page.limit + 1)
    .execute();
  const items = rows.slice(0, page.limit).map((row) => depositOf(sealer, row));
  return { items, next: rows.length > page.limit ? (items.at(-1)?.id ?? null) : null };
}

const FOUND_MAX = 5;

/**
 * Finds deposits by code, gateway number, user or reference, each in full, newest first. Counts
 * them up to a maximum.
 */
export async function searchDeposits(
  database: Database,
  sealer: Sealer,
  text: string,
  countMax: number,
): Promise<{ readonly items: readonly Deposit[]; readonly count: number }> {
  const found = database
    .selectFrom("deposits")
    .where((where) =>
      where.or([
        where("transaction_code", "=", text.toUpperCase()),
        where("gateway_number", "=", text),
        where("user_digest", "=", userDigest(sealer, text)),
        where("reference_digest", "=", referenceDigest(sealer, text)),
      ]),
    );
  const rows = await found.selectAll().orderBy("id", "desc").limit(FOUND_MAX).execute();
  const items = rows.map((row) => depositOf(sealer, row));
  if (rows.length < FOUND_MAX) return { items, count: rows.length };
  return { items, count: (await found.select("id").limit(countMax).execute()).length };
}

function depositOf(sealer: Sealer, row: Selectable<DepositTables["deposits"]>): Deposit {
  const code = row.transaction_code;
  const money = moneyOf(row);
  const opened = openDetails(sealer, code, row.sealed);
  const { details, paymentCode, reference, isErased = false } = opened;
  const shown =
    !isErased &&
    row.payment_details &&
    openPart(sealer, "paymentDetails", code, row.payment_details);
  return {
    id: row.id,
    code,
    lane: row.lane,
    state: row.state,
    reason: row.reason,
    step: row.step,
    money,
    payable: moneyOfSameCurrency(money, row.payable_minor),
    // A report that was contradicted later proves nothing. It stays in the evidence.
    paid: row.state === "completed" ? moneyOfSameCurrency(money, row.paid_minor) : null,
    details,
    paymentCode,
    reference,
    isErased,
    gatewayNumber: row.gateway_number,
    destination: shown ? shown.destination : null,
    banks: shown ? shown.banks : null,
    depositor:
      isErased || !row.depositor ? null : openPart(sealer, "depositor", code, row.depositor),
    expiry:
      row.expires_text === null
        ? null
        : { text: row.expires_text, zone: row.expires_zone ?? "", at: row.expires_at },
    seq: row.seq,
    attempts: row.attempts,
    isUnderWay: row.lease_until !== null,
    maybeArrived: row.maybe_arrived,
    dueAt: row.due_at,
    createdBy: row.created_by,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
