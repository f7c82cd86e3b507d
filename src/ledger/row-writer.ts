import type { Problem } from "#batch/problems.ts";
import type { RejectedRow } from "#batch/row.ts";
import type { Elsewhere } from "#ledger/paid-lately.ts";
import type { CodedRow } from "#ledger/row-codes.ts";
import type { PayoutOrder } from "#payout/payout.ts";

/** A good row with the code and the lane that it got. */
export interface NewPayout {
  readonly line: number;
  readonly cells: readonly string[];
  readonly order: PayoutOrder;
  readonly lane: string;
  readonly reference: string | null;
}

/** Payouts that another batch pays too, and where. */
export type PaidLately = ReadonlyMap<NewPayout, Elsewhere>;

/** A row with everything that there is to say about it. */
export interface WarnedRow {
  readonly line: number;
  readonly cells: readonly string[];
  readonly problems: readonly Problem[];
}

/** Where the rows of a file go. */
export interface RowWriter {
  /** The transaction code of a row that has none of its own. Asked once for each row, in the order of the file. */
  codeFor(row: CodedRow): string;
  /** Which of these codes are in the ledger already, and where. */
  codesInUse(
    codes: readonly string[],
  ): Promise<ReadonlyMap<string, { readonly batchId: string; readonly line: number }>>;
  /** Stores the payouts and returns which of them another batch pays too, taken in lately (F79). */
  addPayouts(payouts: readonly NewPayout[]): Promise<PaidLately>;
  addRejected(rejected: readonly RejectedRow[]): Promise<void>;
  /** Keeps what there is to say about payouts that were added. */
  addWarned(warned: readonly WarnedRow[]): Promise<void>;
}
