/**
 * Duplicate detection for payouts that are similar to earlier ones. It only warns and never stops a
 * payout.
 */

/** Days after which a payment to the same account under another name is no longer considered. */
export const NAME_DAYS = 180;

/**
 * Returns the position, from 1, of the only character in which two accounts of equal length differ.
 * Null: they do not differ in exactly one character.
 */
export function differingPosition(account: string, other: string): number | null {
  if (account.length !== other.length) return null;
  const [first, ...more] = [...account].flatMap((char, at) => (char === other[at] ? [] : [at + 1]));
  return first !== undefined && more.length === 0 ? first : null;
}

/**
 * Returns whether two names share a word, which suggests two spellings of one name: "Rao, A." and
 * "Asha Rao".
 */
export const hasSharedWord = (words: readonly string[], others: readonly string[]): boolean =>
  words.some((word) => others.includes(word));

/**
 * Thresholds for an overlap with an earlier batch: its maximum age in days, the minimum share of
 * rows in percent, and the minimum number of rows.
 */
export const OVERLAP = { days: 60, percent: 20, rows: 5 } as const;

/**
 * Returns the percentage of rows that a batch shares with another one, rounded down. Null: too few
 * to report.
 */
export function overlapPercent(shared: number, rows: number): number | null {
  const isTold = shared >= OVERLAP.rows && shared * 100 >= rows * OVERLAP.percent;
  return isTold ? Math.floor((shared * 100) / rows) : null;
}

/** Says what share of the rows another batch pays as well. */
export const overlapText = (batchId: string, percent: number): string =>
  `${percent}% of the rows pay the same amounts to the same accounts as batch ${batchId}`;

export const OVERLAP_CHECK = `at least ${OVERLAP.percent}% of its payouts, and at least ${OVERLAP.rows}, also in one batch from the last ${OVERLAP.days} days`;
