import { maskPayout } from "#intake/masking.ts";
import type { Database } from "#ledger/store/database.ts";
import { feeOfRow, moneyOf } from "#ledger/store/tables.ts";
import type { Sealer } from "#ledger/store/sealing.ts";
import { openPayout } from "#ledger/store/sealed-rows.ts";
import type { Money } from "#money/money.ts";
import type { PayoutState } from "#payout/payout-lifecycle.ts";
import type { PayoutDetails } from "#payout/payout.ts";
import type { RecordedPayout } from "#payout/timeline.ts";

/** The full history of one payout, in chronological order. */
export interface PayoutHistory extends RecordedPayout {
  readonly payoutId: number;
  readonly seq: number;
  readonly transactionCode: string;
  readonly batchId: string;
  readonly line: number;
  readonly lane: string;
  readonly reason: string | null;
  readonly money: Money;
  /** The fee that the gateway reported last. Null: none that can be read. */
  readonly fee: Money | null;
  /** The last reported fee as written, if it cannot be read. */
  readonly unreadableFee: string | null;
  readonly gatewayNumber: string | null;
  readonly reference: string | null;
  /** Account, phone and wallet, masked except for the last four characters. */
  readonly beneficiary: PayoutDetails;
  /** True if the person was erased: there are no details. */
  readonly isErased: boolean;
  /** Payout code of the row itself. Null: the payout code of its lane. */
  readonly payoutCode: string | null;
  readonly callbackUrl: string | null;
  readonly dueAt: Date;
  /** The gateway has reported the settled payout as failed or reversed, and must confirm it. */
  readonly isReturnReported: boolean;
  /**
   * Time since which the gateway has given no readable answer about it. Null: the last answer was
   * readable.
   */
  readonly silentSince: Date | null;
  readonly updatedAt: Date;
}

/** Returns a payout with its attempts, evidence and transitions. Null: no payout has this code. */
export async function findPayoutHistory(
  database: Database,
  sealer: Sealer,
  transactionCode: string,
): Promise<PayoutHistory | null> {
  const row = await database
    .selectFrom("payouts")
    .innerJoin("payout_details", "payout_details.payout_id", "payouts.id")
    .selectAll("payouts")
    .select("payout_details.sealed")
    .where("payout_details.transaction_code", "=", transactionCode)
    .executeTakeFirst();
  if (!row) return null;
  const { id } = row;
  const [attempts, evidence, transitions] = await Promise.all([
    database
      .selectFrom("attempts")
      .select(["number", "opened_at as openedAt", "key_id as keyId", "worker"])
      .where("payout_id", "=", id)
      .orderBy("number")
      .execute(),
    database
      .selectFrom("evidence")
      .select(["kind", "attempt", "at", "facts"])
      .where("payout_id", "=", id)
      .orderBy("id")
      .execute(),
    database
      .selectFrom("transitions")
      .select(["event", "reason", "actor", "at"])
      .where("payout_id", "=", id)
      .orderBy("seq")
      .execute(),
  ]);
  const payout = openPayout(sealer, transactionCode, row.sealed);
  const { details, reference } = maskPayout(row.currency, payout);
  return {
    payoutId: id,
    seq: row.seq,
    transactionCode,
    batchId: row.batch_id,
    line: row.line,
    lane: row.lane,
    state: row.state,
    reason: row.reason,
    money: moneyOf(row),
    fee: feeOfRow(row),
    unreadableFee: row.unreadable_fee,
    gatewayNumber: row.gateway_number,
    reference,
    beneficiary: details,
    isErased: payout.isErased ?? false,
    payoutCode: payout.payoutCode,
    callbackUrl: payout.callbackUrl,
    dueAt: row.due_at,
    isReturnReported: row.state === "settled" && row.status_answer === "returned",
    silentSince: row.silent_since,
    updatedAt: row.updated_at,
    attempts,
    evidence,
    transitions,
  };
}

/**
 * Returns payouts of the batch that are declined, on hold, returned, in doubt or resolved manually.
 */
export async function findExceptions(
  database: Database,
  batchId: string,
  limit: number,
): Promise<
  {
    line: number;
    transactionCode: string;
    state: PayoutState;
    reason: string | null;
    money: Money;
  }[]
> {
  const rows = await database
    .selectFrom("payouts as p")
    .innerJoin("batches as b", "b.id", "p.batch_id")
    .innerJoin("payout_details as d", "d.payout_id", "p.id")
    .select([
      "p.line",
      "d.transaction_code",
      "p.state",
      "p.reason",
      "p.currency",
      "p.amount_minor",
      "p.minor_digits",
    ])
    .where("b.id", "=", batchId)
    .whereRef("p.id", ">=", "b.first_id")
    .whereRef("p.id", "<=", "b.last_id")
    .where("p.state", "in", ["declined", "on_hold", "returned", "in_doubt", "resolved"])
    .orderBy("p.id")
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    line: row.line,
    transactionCode: row.transaction_code,
    state: row.state,
    reason: row.reason,
    money: moneyOf(row),
  }));
}
