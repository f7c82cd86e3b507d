/** The periods of the figures of Home, in days up to today. */
export const PERIODS = [1, 7, 30] as const;

/** A period of the figures, in days. */
export type Period = (typeof PERIODS)[number];

/** The period in the address. Without it, the figures are those of today. */
interface HomeSearch {
  readonly days?: string;
}

/** Reads the period from the URL. */
export function homeSearch({ days }: Record<string, unknown>): HomeSearch {
  const known = PERIODS.find((each) => each > 1 && String(each) === days);
  return known === undefined ? {} : { days: String(known) };
}

/** Returns the period in the address. */
export const periodOf = ({ days }: HomeSearch): Period =>
  PERIODS.find((each) => String(each) === days) ?? 1;
