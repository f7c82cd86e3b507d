import type { PayoutState } from "#payout/payout-lifecycle.ts";
import { type StateView, viewsByState } from "../../components/views/built-in-views.ts";
import type { BuiltInView } from "../../components/views/list-views.tsx";
import { messages } from "./messages.ts";
import type { PayoutSummary } from "./payout-query.ts";
import { isWithoutDrafts, type PayoutSearch, payoutSearch } from "./search-params.ts";

/** The built-in views, by the states of their payouts. */
const VIEWS: readonly StateView<keyof typeof messages.views, PayoutState>[] = [
  { key: "inProgress", states: ["approved", "submitting", "accepted"] },
  { key: "inDoubt", states: ["in_doubt"], tone: "doubt" },
  { key: "onHold", states: ["on_hold"], tone: "hold" },
  { key: "declined", states: ["declined"] },
  { key: "settled", states: ["settled"] },
  { key: "returned", states: ["returned"] },
];

/** The built-in views of the list of payouts. */
export function payoutViews(
  search: PayoutSearch,
  summary: PayoutSummary | undefined,
): readonly BuiltInView[] {
  const { state, cursor: _, ...others } = search;
  const isCounted = summary !== undefined && summary.blocked !== null;
  const counts = new Map<string, number>(
    summary?.states.map(({ state: name, payouts }) => [name, payouts]),
  );
  if (isWithoutDrafts(others)) counts.delete("draft");
  return viewsByState(VIEWS, {
    labels: messages.views,
    state,
    counts: isCounted ? counts : undefined,
    addressOf: (states) => payoutSearch({ ...others, state: states }),
  });
}
