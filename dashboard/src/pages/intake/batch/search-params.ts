import type { Part } from "#approval/status-breakdown.ts";
import type { PayoutState } from "#payout/payout-lifecycle.ts";
import { payoutSearch, type PayoutSearch, withoutBlocked } from "../../payout/search-params.ts";

/** The tabs of a batch page, in order. */
export const TABS = [
  "payouts",
  "findings",
  "files",
  "approvals",
  "comments",
  "timeline",
  "charts",
  "audit",
] as const;

/** A tab of a batch page, as in the URL. */
export type Tab = (typeof TABS)[number];

/** The payout states of each part of the status breakdown (src/approval/status-breakdown.ts). */
// biome-ignore format: the columns are the point
export const STATES_OF_PART: Readonly<Record<Part, readonly (PayoutState | "draft")[]>> = {
  settled:           ["settled"],
  unsent:            ["approved"],
  in_progress:       ["submitting", "accepted"],
  declined:          ["declined"],
  in_doubt:          ["in_doubt"],
  on_hold:           ["on_hold"],
  returned:          ["returned"],
  held_back:         ["held_back"],
  cancelled:         ["cancelled"],
  resolved:          ["resolved"],
  awaiting_approval: ["draft", "awaiting_approval"],
};

/** The payout states of a part of the status breakdown, as a filter of payouts. */
export const stateFilter = (part: Part): string => STATES_OF_PART[part].join(",");

/** The filters of the payouts of one batch, and their order. */
export type BatchPayoutSearch = Omit<PayoutSearch, "batch" | "cursor">;

/** The open tab of a batch page, and the filters of its payouts. */
export interface BatchSearch extends BatchPayoutSearch {
  readonly tab?: Tab;
}

/** Keeps the filters of the payouts of one batch and ignores all other parameters. */
export function batchPayoutSearch(given: Record<string, unknown>): BatchPayoutSearch {
  const { batch: _batch, cursor: _cursor, ...search } = payoutSearch(given);
  return search;
}

/** The name of the tab "timeline" on the page, which people type into the address. */
const ACTIVITY = "activity";

/** Reads the open tab and the filters of a batch page from the URL. */
export function batchSearch({ tab, ...filters }: Record<string, unknown>): BatchSearch {
  const known = TABS.find((each) => each === (tab === ACTIVITY ? "timeline" : tab));
  return { ...batchPayoutSearch(filters), ...(known && { tab: known }) };
}

/** The query of the API for the payouts of one batch, which are in the order of the file. */
export const batchPayoutsQuery = (
  batch: string,
  { sort = "oldest", compared, ...filters }: BatchPayoutSearch,
) => ({
  ...filters,
  ...withoutBlocked(filters.state),
  ...(compared && { compared: "changed" as const }),
  batch,
  sort: sort as "oldest",
});
