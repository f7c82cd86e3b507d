import { startOfDay } from "../../../base/local-time.ts";
import { textParams } from "../../../base/list/text-params.ts";

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
  /** "largest" (the default), "oldest" or "newest". */
  readonly sort?: string;
}

const NAMES = ["state", "currency", "batch", "from", "to", "whose", "snoozed", "sort"] as const;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Keeps the known filters of a page address and ignores its other parameters. */
export function failureSearch(given: Record<string, unknown>): FailureSearch {
  const { from, to, ...same } = textParams(given, NAMES);
  return {
    ...same,
    ...(from !== undefined && DAY.test(from) && { from }),
    ...(to !== undefined && DAY.test(to) && { to }),
  };
}

/** The list shows only some failures. The sort order and the snoozed ones hide none. */
export const isFiltered = (search: FailureSearch): boolean =>
  Object.keys(search).some((name) => name !== "sort" && name !== "snoozed");

/**
 * The filters that the API applies. The page itself filters by assignment and snooze, and sorts.
 * The range includes both days.
 */
export function failuresQuery(search: FailureSearch) {
  const { from, to, whose: _, snoozed: __, sort: ___, ...same } = search;
  return {
    ...same,
    ...(from === undefined ? {} : { changed_from: startOfDay(from) }),
    ...(to === undefined ? {} : { changed_to: startOfDay(to, 1) }),
  };
}

/** The query for the file with exactly the payouts of the listed failures. */
export const fileQuery = (search: FailureSearch) => ({
  ...failuresQuery(search),
  ...((search.whose === "me" || search.whose === "nobody") && { whose: search.whose }),
  snoozed: search.snoozed === "shown" ? ("shown" as const) : ("hidden" as const),
});

interface FilteredBy {
  readonly state: string;
  readonly reason: string | null;
  /** Undefined in a failure group, which has payouts of several currencies and banks. */
  readonly currency?: string;
  readonly bank?: string;
}

/** The filters that select these payouts, in the list of payouts and in the file. */
export function payoutFilterOf(
  { state, reason, currency, bank }: FilteredBy,
  search: FailureSearch,
): Record<string, string> {
  return {
    ...failuresQuery(search),
    state,
    ...(currency !== undefined && { currency }),
    ...(bank !== undefined && { bank }),
    ...(reason !== null && { reason }),
  };
}

/** The address of the list of payouts that shows these payouts. */
export const payoutsOf = (given: FilteredBy, search: FailureSearch): string =>
  `/payouts?${new URLSearchParams({ ...payoutFilterOf(given, search), ...unpaidFilter(given.state) })}`;

/** The filter that leaves out payouts whose retry has paid or failed, as the failures do. */
export const unpaidFilter = (state: string): Record<string, string> =>
  state === "declined" || state === "returned" ? { retry_result: "none" } : {};
