import type { PayoutState } from "#payout/payout-lifecycle.ts";

/** The result of a payout as a statement reports it. */
export type StatementStatus = "completed" | "failed" | "pending" | "returned";

/** An exact amount in minor units. */
export interface ExactAmount {
  readonly minor: bigint;
  readonly minorDigits: number;
}

/** A line of a statement, after its values have been read. */
export interface StatementLine {
  /** The transaction code, or `noCode(gatewayNumber)` for a line without one. */
  readonly code: string;
  /** Line of the file, counted from 1. */
  readonly line: number;
  readonly gatewayNumber: string | null;
  readonly currency: string;
  readonly amount: ExactAmount;
  /** Null: the statement does not report fees. */
  readonly fee: ExactAmount | null;
  readonly status: StatementStatus;
  /** Null: the statement does not report times. */
  readonly at: Date | null;
}

/** A stored line, with what other statements of the lane show about its code. */
export interface StatementRecord extends StatementLine {
  /** True if another current statement of the lane has a line with this code. */
  readonly isListedElsewhere: boolean;
  /** Another transaction with this code, completed on another statement of the lane. */
  readonly alsoCompleted: string | null;
}

/**
 * Hours around a business day in which payrun may record a settlement of that day. They are less
 * than half a day, so that a payout is near one other day only.
 */
export const NEARBY_HOURS = 6;

/** A payout of the ledger that belongs to a business day. */
export interface LedgerRecord {
  readonly code: string;
  readonly payoutId: number;
  readonly currency: string;
  readonly amount: ExactAmount;
  /** Null: the gateway has not reported a fee. */
  readonly fee: ExactAmount | null;
  readonly state: PayoutState;
  /** True if the payout was resolved manually because the money arrived. */
  readonly arrived: boolean;
  /** True if the gateway once reported the payout as completed. */
  readonly hadSettled: boolean;
  /** Null: the gateway has not reported one. */
  readonly gatewayNumber: string | null;
  /** True if the payout settled, or was resolved as arrived, on this business day. */
  readonly hasSettledOnDay: boolean;
  /** True if the payout settled on another day, at most `NEARBY_HOURS` before or after this one. */
  readonly hasSettledNearby: boolean;
  /** True if the payout was in progress at the end of the business day. */
  readonly wasInProgress: boolean;
  /** True if another current statement of the lane lists the payout as completed or returned. */
  readonly isListedElsewhere: boolean;
  /** True if this statement must contain the payout. */
  readonly isExpected: boolean;
  /** True if the payout came back on this business day, and no other statement lists that. */
  readonly isReturnExpected: boolean;
}

const NO_CODE = "#";

/**
 * Returns the code of a line without a transaction code. No transaction code of payrun
 * contains this sign.
 */
export const noCode = (gatewayNumber: string): string => `${NO_CODE}${gatewayNumber}`;
