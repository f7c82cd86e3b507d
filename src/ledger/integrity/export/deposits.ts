import type { DepositState } from "#deposit/lifecycle.ts";
import type { Database } from "#ledger/store/database.ts";
import { moneyOfSameCurrency, moneyOf } from "#ledger/store/tables.ts";
import {
  type RecordedAttempt,
  type RecordedHistory,
  readHistory,
  type HistorySource,
} from "#ledger/store/history.ts";
import type { Money } from "#money/money.ts";

/**
 * A deposit of the export, without user and payer. Their identity stays sealed, as does the payment
 * destination.
 */
export interface ExportedDeposit extends RecordedHistory<DepositAttempt> {
  readonly transactionCode: string;
  readonly lane: string;
  /**
   * The requested amount, the amount that the payer was asked to pay, and the amount that the
   * gateway reports for a completed deposit.
   */
  readonly money: Money;
  readonly payable: Money | null;
  readonly paid: Money | null;
  readonly state: DepositState;
  readonly reason: string | null;
  readonly gatewayNumber: string | null;
  readonly expiresAt: Date | null;
  readonly createdAt: Date;
}

interface DepositAttempt extends RecordedAttempt {
  readonly kind: string;
}

const PAGE = 1_000;

const SOURCE: HistorySource<DepositAttempt> = {
  tables: {
    attempts: "deposit_attempts",
    evidence: "deposit_evidence",
    transitions: "deposit_transitions",
  },
  owner: "deposit_id",
  attempt: ["number", "kind", "opened_at", "key_id", "worker"],
};

/** Reads all deposits in pages, ordered by ID. */
export async function* exportedDeposits(snapshot: Database): AsyncGenerator<ExportedDeposit> {
  for (let after = 0; ; ) {
    const page = await snapshot
      .selectFrom("deposits")
      .select(["id", "transaction_code", "lane", "currency", "amount_minor", "minor_digits"])
      .select(["payable_minor", "paid_minor", "state", "reason", "gateway_number"])
      .select(["expires_at", "created_at"])
      .where("id", ">", after)
      .orderBy("id")
      .limit(PAGE)
      .execute();
    const last = page.at(-1);
    if (!last) return;
    const told = await readHistory(
      snapshot,
      SOURCE,
      page.map(({ id }) => id),
    );
    for (const row of page) {
      const money = moneyOf(row);
      yield {
        transactionCode: row.transaction_code,
        lane: row.lane,
        money,
        payable: moneyOfSameCurrency(money, row.payable_minor),
        paid: row.state === "completed" ? moneyOfSameCurrency(money, row.paid_minor) : null,
        state: row.state,
        reason: row.reason,
        gatewayNumber: row.gateway_number,
        expiresAt: row.expires_at,
        createdAt: row.created_at,
        ...told(row.id),
      };
    }
    after = last.id;
  }
}
