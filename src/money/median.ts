/**
 * Returns the median of amounts in minor units. Of an even number of amounts, it is the mean of the
 * two in the middle; half a minor unit is rounded down. Null: there are no amounts.
 */
export function medianAmount(amounts: readonly bigint[]): bigint | null {
  const sorted = amounts.toSorted((one, other) => (one < other ? -1 : one > other ? 1 : 0));
  const lower = sorted[Math.floor((sorted.length - 1) / 2)];
  const upper = sorted[Math.floor(sorted.length / 2)];
  return lower === undefined || upper === undefined ? null : (lower + upper) / 2n;
}
