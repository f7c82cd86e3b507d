import type { Money } from "#money/money.ts";

/** Result of writing the rows. */
export interface StoredRows {
  readonly rows: number;
  readonly rejected: number;
  /** Number of rows that were valid before, and were taken back to be read again. */
  readonly takenBack: number;
  /** Ids of the payouts, assigned in the order of their lines. 0 and 0: none. */
  readonly firstId: number;
  readonly lastId: number;
  readonly lanes: readonly LaneSum[];
  /** Digest over the keyed digests of the payouts, in order. */
  readonly contentDigest: string;
}

export interface LaneSum {
  readonly lane: string;
  readonly rows: number;
  readonly total: Money;
  readonly largest: bigint;
}
