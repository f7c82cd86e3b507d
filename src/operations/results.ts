/** Figures about the results of payouts: durations in buckets, and how long a balance lasts. */

/** Upper bound of the last bucket: the duration was longer than seven days. */
export const UNBOUNDED_SECONDS = 2_147_483_647;

/** Number of payouts whose duration is in the bucket with this upper bound. */
export interface DurationCount {
  readonly seconds: number;
  readonly payouts: number;
}

/**
 * Returns the upper bound of the bucket that contains the share of the durations, such as 0.95, in
 * seconds. Null: no duration is known.
 */
export function percentile(counts: readonly DurationCount[], share: number): number | null {
  const known = counts
    .filter(({ seconds }) => seconds > 0)
    .toSorted((one, other) => one.seconds - other.seconds);
  const all = known.reduce((sum, { payouts }) => sum + payouts, 0);
  let reached = 0;
  for (const { seconds, payouts } of known) {
    reached += payouts;
    if (reached >= all * share) return seconds;
  }
  return null;
}

/**
 * Returns for how many days the available amount lasts at the average payouts of the period, in
 * tenths of a day, rounded down. Null: there were no payouts in the period.
 */
export function coverTenths(available: bigint, paid: bigint, periodDays: number): number | null {
  if (paid <= 0n) return null;
  if (available <= 0n) return 0;
  return Number((available * BigInt(periodDays) * 10n) / paid);
}
