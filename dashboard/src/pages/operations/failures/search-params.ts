import { startOfDay } from "../../../base/start-of-day.ts";

/** The filters in the page address. */
export interface FailureSearch {
  readonly state?: string;
  readonly currency?: string;
  readonly batch?: string;
  /** Days in the reader's time zone: 2026-12-31. */
  readonly from?: string;
  readonly to?: string;
  /** "me" or "nobody". */
  readonly whose?: string;
  /** "shown" lists snoozed failures as well. */
  readonly snoozed?: string;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Keeps the known filters of a page address and ignores its other parameters. */
export function failureSearch(given: Record<string, unknown>): FailureSearch {
  const kept = ["state", "currency", "batch", "from", "to", "whose", "snoozed"].flatMap((name) => {
    const value = given[name];
    if (typeof value !== "string" || value.trim() === "") return [];
    const isDay = name === "from" || name === "to";
    return isDay && !DAY.test(value) ? [] : [[name, value.trim()]];
  });
  return Object.fromEntries(kept) as FailureSearch;
}

/**
 * The filters that the API applies; the page itself filters by assignment and snooze. The range
 * includes both days.
 */
export function failuresQuery(search: FailureSearch) {
  const { from, to, whose: _, snoozed: __, ...same } = search;
  return {
    ...same,
    ...(from === undefined ? {} : { changed_from: startOfDay(from) }),
    ...(to === undefined ? {} : { changed_to: startOfDay(to, 1) }),
  };
}
