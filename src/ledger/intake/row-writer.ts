import type { Problem } from "#intake/text/problems.ts";
import type { RejectedRow } from "#intake/row.ts";
import type { LaneSum } from "#ledger/intake/lane-totals.ts";
import type { OtherRow } from "#ledger/intake/paid-lately.ts";
import type { CodedRow } from "#ledger/intake/transaction-codes.ts";
import type { PayoutOrder } from "#payout/payout.ts";

/** Settings of the transaction in which the rows of a file are written. */
export const LARGE_FILE_SETTINGS = [
  // A large file takes longer than the usual timeouts of statements and locks.
  "statement_timeout = 0",
  "lock_timeout = 0",
  // Statistics are stale while tables grow this fast. A planner that trusts them scans whole tables
  // for every chunk (measured: 600 µs per row, instead of 50 µs with an index).
  "enable_seqscan = off",
];

/** A good row with its transaction code and lane. */
export interface NewPayout {
  readonly line: number;
  readonly cells: readonly string[];
  readonly order: PayoutOrder;
  readonly lane: string;
  readonly reference: string | null;
}

/** Payouts that are also in another batch, with their location. */
export type OtherRows = ReadonlyMap<NewPayout, OtherRow>;

/** Returns the findings of a list by payout instead of by position. */
export const byPayout = (
  payouts: readonly NewPayout[],
  found: ReadonlyMap<number, OtherRow>,
): OtherRows => new Map([...found].map(([at, where]) => [payouts[at] as NewPayout, where]));

/** A row with all its findings. */
export interface WarnedRow {
  readonly line: number;
  readonly cells: readonly string[];
  readonly problems: readonly Problem[];
}

/** Receives the rows of a file. */
export interface RowWriter {
  /**
   * Returns the transaction code of a row without a code of its own. Called once per row, in the
   * order of the file.
   */
  codeFor(row: CodedRow): string;
  /** Returns which of these codes are already in the ledger, and where. */
  findCodesInUse(
    codes: readonly string[],
  ): Promise<ReadonlyMap<string, { readonly batchId: string; readonly line: number }>>;
  /**
   * Stores the payouts and returns those that are also in another batch that was uploaded recently
   * (F79).
   */
  addPayouts(payouts: readonly NewPayout[]): Promise<OtherRows>;
  /** Returns which payouts pay a person whom an unfinished retry batch also pays. */
  findOpenRetries(payouts: readonly NewPayout[]): Promise<OtherRows>;
  addRejected(rejected: readonly RejectedRow[]): Promise<void>;
  /** Stores the findings of payouts that were added. */
  addWarned(warned: readonly WarnedRow[]): Promise<void>;
}

/** Result of writing the rows. */
export interface StoredRows {
  readonly rows: number;
  readonly rejected: number;
  /** Lines that were valid before, and were taken back to be read again. They are valid again. */
  readonly takenBack: readonly number[];
  /** Number of rows that had been left out of the batch. */
  readonly putBack: number;
  /** Ids of the payouts, assigned in the order of their lines. 0 and 0: none. */
  readonly firstId: number;
  readonly lastId: number;
  readonly lanes: readonly LaneSum[];
  /** Digest over the keyed digests of the payouts, in order. */
  readonly contentDigest: string;
}
