import type { Part } from "#approval/status-breakdown.ts";
import type { PayoutState } from "#payout/payout-lifecycle.ts";

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
export const STATES_OF_PART: Readonly<Record<Part, readonly PayoutState[]>> = {
  settled:           ["settled"],
  in_progress:       ["approved", "submitting", "accepted"],
  declined:          ["declined"],
  in_doubt:          ["in_doubt"],
  on_hold:           ["on_hold"],
  returned:          ["returned"],
  cancelled:         ["cancelled"],
  resolved:          ["resolved"],
  awaiting_approval: ["awaiting_approval"],
};

/** The open tab of a batch page, and the filter of its payouts. */
export interface BatchSearch {
  readonly tab?: Tab;
  readonly state?: Part;
  /** A reason code, or with the gateway's text. */
  readonly cause?: string;
  readonly cursor?: string;
}

/** Reads the open tab and the filter of a batch page from the URL. */
export function batchSearch({ tab, state, cause, cursor }: Record<string, unknown>): BatchSearch {
  const known = TABS.find((each) => each === tab);
  const part = Object.keys(STATES_OF_PART).find((each) => each === state) as Part | undefined;
  return {
    ...(known && { tab: known }),
    ...(part && { state: part }),
    ...(typeof cause === "string" && cause !== "" && { cause }),
    ...(typeof cursor === "string" && cursor !== "" && { cursor }),
  };
}
