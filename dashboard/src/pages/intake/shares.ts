const WHOLE = 1_000;

/**
 * Returns the shares of the counts in tenths of a percent, with a sum of exactly 100%: those with
 * the largest remainders are rounded up. Without payouts, all are 0.
 */
export function sharesOf(counts: readonly number[]): number[] {
  const sum = counts.reduce((total, count) => total + count, 0);
  if (sum === 0) return counts.map(() => 0);
  const exact = counts.map((count) => (count / sum) * WHOLE);
  const shares = exact.map(Math.floor);
  const left = WHOLE - shares.reduce((total, share) => total + share, 0);
  const byRemainder = exact
    .map((value, at) => ({ at, remainder: value - Math.floor(value) }))
    .toSorted((one, other) => other.remainder - one.remainder);
  for (const { at } of byRemainder.slice(0, left)) shares[at] = (shares[at] ?? 0) + 1;
  return shares;
}
