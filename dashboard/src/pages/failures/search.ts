import { startOfDay } from "../../days.ts";

/** The filters of the page, as they stand in its address. */
export interface FailureSearch {
  readonly state?: string;
  readonly currency?: string;
  readonly batch?: string;
  /** Days of the reader's own calendar: 2026-12-31. */
  readonly from?: string;
  readonly to?: string;
  /** Whose: "me", or "nobody". */
  readonly whose?: string;
  /** "shown": what is out of the way as well. */
  readonly snoozed?: string;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

export function failureSearch(given: Record<string, unknown>): FailureSearch {
  const kept = ["state", "currency", "batch", "from", "to", "whose", "snoozed"].flatMap((name) => {
    const value = given[name];
    if (typeof value !== "string" || value.trim() === "") return [];
    const isDay = name === "from" || name === "to";
    return isDay && !DAY.test(value) ? [] : [[name, value.trim()]];
  });
  return Object.fromEntries(kept) as FailureSearch;
}

/** As the API takes them, but for what the page alone picks out: from the first moment of a day to the last of the other. */
export function queryOf(search: FailureSearch) {
  const { from, to, whose: _, snoozed: __, ...same } = search;
  return {
    ...same,
    ...(from === undefined ? {} : { changed_from: startOfDay(from) }),
    ...(to === undefined ? {} : { changed_to: startOfDay(to, 1) }),
  };
}
