/** What is nearly the same as something that was paid before: a warning, and nothing is stopped by it. */

/** What was paid under another name longer ago than this is forgotten. */
export const NAME_DAYS = 180;

/** The place of the only character, counted from 1, in which two accounts of one length differ; null: there is no such. */
export function oneOff(account: string, other: string): number | null {
  if (account.length !== other.length) return null;
  const [first, ...more] = [...account].flatMap((char, at) => (char === other[at] ? [] : [at + 1]));
  return first !== undefined && more.length === 0 ? first : null;
}

/** Two names that have a word in common are one that was written in two ways: "Rao, A." and "Asha Rao". */
export const shareWord = (words: readonly string[], others: readonly string[]): boolean =>
  words.some((word) => others.includes(word));

/** How far back an earlier batch may lie that a batch overlaps, from which part of its rows on, and how many of them. */
export const OVERLAP = { days: 60, percent: 20, rows: 5 } as const;

/** Of how many of its rows a batch shares with another, in percent and rounded down; null: too few to be told. */
export function overlapPercent(shared: number, rows: number): number | null {
  const isTold = shared >= OVERLAP.rows && shared * 100 >= rows * OVERLAP.percent;
  return isTold ? Math.floor((shared * 100) / rows) : null;
}

export const OVERLAP_CHECK = `at least ${OVERLAP.percent} % of its payments, and ${OVERLAP.rows}, in one batch of the last ${OVERLAP.days} days`;
