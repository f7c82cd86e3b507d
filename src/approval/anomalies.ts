import { medianAmount } from "#money/median.ts";
import { NAME_DAYS } from "#approval/possible-duplicates.ts";

/**
 * Anomaly checks for the approver. All are computed for every batch, and each is listed even if it
 * finds nothing.
 */

/** A payout is reported if it is more than this many times the usual amount of its account. */
export const UNUSUAL_FACTOR = 3;
/** Percentage of the maximum payout amount from which a payout is reported. */
export const NEAR_LIMIT_PERCENT = 90;
/** Number of earlier batches with which a total is compared. */
export const PREVIOUS_BATCHES = 6;
/**
 * A total is reported if it is at least this many times the median of the earlier totals, or at
 * most that fraction of it.
 */
const TOTAL_UNUSUAL_FACTOR = 2;

export const ROW_CHECKS = {
  new_bank_details: "retried with new bank details",
  new_details: "retried with another changed value",
  own_callback: "with a callback URL from the file instead of payrun's own",
  own_payout_code: "with a payout code from the file instead of the merchant's",
  paid_lately: "same account and amount as in another batch from the last 7 days",
  twice_here: "same account and amount twice in this batch",
  being_retried:
    "same user ID, or same name and amount, as a payout in a retry batch in progress: it may be paid twice",
  in_approved_batch:
    "same user ID, or same name and amount, as a payout in an approved batch in progress, created after the retried payout was declined or returned: it may be paid twice",
  one_digit_off:
    "account never paid before that differs by one digit from another account under the same name",
  other_account: "account never paid before, although the name already has another account",
  other_name: `account paid under another name, without a common word, in the last ${NAME_DAYS} days`,
  above_usual: `more than ${UNUSUAL_FACTOR} times the account's usual amount`,
  mixed_scripts: "name with letters from several scripts",
  warned: "with a value that payrun warned about when it validated the file",
  corrected: "corrected after upload",
  never_paid: "account never paid before",
  near_limit: `at least ${NEAR_LIMIT_PERCENT}% of the maximum payout amount`,
  paid_this_month: "same account and amount as in another batch from the last 30 days",
} as const;
export type RowCheck = keyof typeof ROW_CHECKS;

/** The checks that find accounts that were never paid. Only one finds each such account. */
export const NEW_ACCOUNT_CHECKS: readonly RowCheck[] = [
  "one_digit_off",
  "other_account",
  "never_paid",
];

/** Whether a check finds what a retry changed in the rows of its declined payouts. */
export const isRetryCheck = (check: RowCheck): boolean =>
  check === "new_bank_details" || check === "new_details";

/** Checks whose findings are common: the approver is informed, but need not act. */
const COMMON_CHECKS: ReadonlySet<RowCheck> = new Set<RowCheck>([
  "never_paid",
  "near_limit",
  "paid_this_month",
]);

/** Whether an approver should look into what this check found. */
export const needsAttention = (check: RowCheck): boolean => !COMMON_CHECKS.has(check);

/** Returns the exact ratio of two amounts of one currency, in hundredths, rounded down. */
export const ratioInHundredths = (amount: bigint, of: bigint): bigint => (amount * 100n) / of;

/** Formats a ratio for people: "12.5", "3" or "0.01". A ratio above zero is never shown as zero. */
export function timesText(ratio: bigint): string {
  if (ratio < 10n) return ratio === 0n ? "under 0.01" : `0.0${ratio}`;
  const tenths = ratio / 10n;
  const fraction = tenths % 10n;
  return fraction === 0n || tenths >= 1_000n ? `${tenths / 10n}` : `${tenths / 10n}.${fraction}`;
}

/** Compares a total with earlier totals. Null: there is nothing to compare with. */
export interface TotalComparison {
  readonly median: bigint;
  /** The ratio in hundredths. */
  readonly ratio: bigint;
  readonly isUnusual: boolean;
}

/** Compares a total with the median of earlier totals. Null: there are none. */
export function compareTotal(total: bigint, before: readonly bigint[]): TotalComparison | null {
  const median = medianAmount(before);
  if (median === null) return null;
  const far = BigInt(TOTAL_UNUSUAL_FACTOR);
  return {
    median,
    ratio: ratioInHundredths(total, median),
    isUnusual: total >= median * far || total * far <= median,
  };
}
