import type { DayFigures } from "#reconciliation/day-figures.ts";

/** Why a day cannot be closed now, for people. */
export const CLOSE_REFUSALS = {
  no_opening_balance: "The lane has no opening balance. Enter it first.",
  before_first_day: "This day is before the first day of the lane.",
  day_not_over: "The business day is not over yet.",
  already_closed: "This day is closed. To close it again, reopen it first.",
  earlier_day_open: "Days are closed in order, and an earlier day is open.",
  unfinished_statement:
    "A statement of this day is being loaded or compared, has not been compared, or waits for an approver.",
  zone_differs: "The statement of this day is for another time zone than the days of the lane.",
} as const satisfies Record<string, string>;
export type CloseRefusal = keyof typeof CLOSE_REFUSALS;
/** The codes of the reasons why a day cannot be closed. */
export const CLOSE_REFUSAL_CODES = Object.keys(CLOSE_REFUSALS) as [CloseRefusal, ...CloseRefusal[]];

/** The facts that decide whether a day can be closed. */
export interface DayToClose {
  readonly day: string;
  readonly endsAt: Date;
  readonly now: Date;
  /** Null: the lane has no opening balance. */
  readonly firstDay: string | null;
  readonly isClosed: boolean;
  /** True: each day from the first to the one before is closed, and not reopened. */
  readonly areEarlierClosed: boolean;
  readonly hasUnfinishedStatement: boolean;
  /** The business day of the current statement. Null: there is none. */
  readonly statement: { readonly startsAt: Date; readonly endsAt: Date } | null;
  readonly startsAt: Date;
}

/** Returns why a day cannot be closed. Null: it can. */
export function closeRefusal(facts: DayToClose): CloseRefusal | null {
  const { day, firstDay, startsAt, endsAt, statement } = facts;
  if (firstDay === null) return "no_opening_balance";
  if (day < firstDay) return "before_first_day";
  if (endsAt > facts.now) return "day_not_over";
  if (facts.isClosed) return "already_closed";
  if (!facts.areEarlierClosed) return "earlier_day_open";
  if (facts.hasUnfinishedStatement) return "unfinished_statement";
  const isOther = statement && (+statement.startsAt !== +startsAt || +statement.endsAt !== +endsAt);
  return isOther ? "zone_differs" : null;
}

/** The balance at the end of a day as its statement shows it. */
export interface ObservedBalance {
  readonly statement: string;
  readonly amount: string;
}

/** Where the opening balance of a day comes from. */
export type OpeningSource =
  | { readonly kind: "previous_close"; readonly version: number; readonly digest: string }
  | { readonly kind: "statement"; readonly statement: string }
  | { readonly kind: "person"; readonly actor: string; readonly reason: string };

/** Why a closed day was reopened, for people. */
export const REOPENING_CAUSES = {
  settlement: "A payout settled on this day after it was closed.",
  return: "A payout that had settled on or before this day was returned.",
  resolution: "A payout of this day was resolved manually.",
  fee: "The gateway changed the fee of a payout of this day.",
  deposit: "A deposit of this day changed.",
  break: "A new break was found.",
  statement: "Another statement was uploaded.",
  adjustment: "An adjustment was confirmed.",
  opening_balance: "The closing balance of the previous day changed.",
  person: "The day was reopened manually.",
} as const satisfies Record<string, string>;
export type ReopeningCause = keyof typeof REOPENING_CAUSES;

/** Why a version no longer counts. */
export interface Reopening {
  readonly cause: ReopeningCause;
  /** A transaction code, a statement, or the number of a break or proposal; "" for none. */
  readonly object: string;
  readonly actor: string;
  readonly at: string;
}

/**
 * One closed version of a business day. Amounts are decimal texts. The audit log has the digest of
 * its canonical JSON.
 */
export interface CloseDocument extends DayFigures {
  readonly lane: string;
  readonly day: string;
  readonly version: number;
  readonly zone: string;
  readonly starts_at: string;
  /** Excluded. */
  readonly ends_at: string;
  readonly opening_from: OpeningSource;
  /** Null: the balance was not observed. */
  readonly observed: ObservedBalance | null;
  /** The observed balance less the computed one. Null: the balance was not observed. */
  readonly difference: string | null;
  /** Settled and manually resolved payouts of the day without a readable fee. */
  readonly payouts_without_fee: number;
  /** Settled payouts of the day that have come back since. */
  readonly payouts_returned_since: number;
  /** IDs of payouts that were sent before the end of the day and are not final. */
  readonly open_payouts: readonly number[];
  /** Number and version of each unresolved break. */
  readonly open_breaks: readonly (readonly [id: number, version: number])[];
  /** Why the version before no longer counts. Null: this is the first one. */
  readonly reopened_by: Reopening | null;
}

/** How a version was closed, for people. The balance agrees only if it was observed. */
export const VERDICTS = {
  agreed: "Closed and agreed",
  open_breaks: "Closed with unresolved breaks",
  difference: "Closed with a difference",
  not_observed: "Closed, balance not observed",
} as const satisfies Record<string, string>;
export type Verdict = keyof typeof VERDICTS;

/** Returns how a version was closed. */
export function verdictOf({
  difference,
  open_breaks: breaks,
}: Pick<CloseDocument, "difference"> & { readonly open_breaks: number }): Verdict {
  if (difference === null) return "not_observed";
  if (/[1-9]/.test(difference)) return "difference";
  return breaks > 0 ? "open_breaks" : "agreed";
}

/**
 * State of a business day. `broken`: closed, and it has unresolved breaks, such as a difference
 * between the balances.
 */
export type DayState = "open" | "closed" | "broken" | "reopened";

/** Returns the state of a day from its newest version. */
export function dayState(
  newest: { readonly isReopened: boolean } | null,
  unresolvedBreaks: number,
): DayState {
  if (!newest) return "open";
  if (newest.isReopened) return "reopened";
  return unresolvedBreaks > 0 ? "broken" : "closed";
}

/**
 * The code of the break between the computed and the observed closing balance. It contains a space,
 * so it is no transaction code.
 */
export const CLOSING_BALANCE = "closing balance";
