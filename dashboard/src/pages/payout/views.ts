import type { PayoutState } from "#payout/payout-lifecycle.ts";
import type { Tone } from "../../base/state.ts";
import type { BuiltInView } from "../../components/views/list-views.tsx";
import { messages } from "./messages.ts";
import type { PayoutSummary } from "./payout-query.ts";
import { isWithoutDrafts, type PayoutSearch, payoutSearch } from "./search-params.ts";

interface View {
  readonly key: keyof typeof messages.views;
  readonly states: readonly PayoutState[];
  readonly tone?: Tone;
}

/** The built-in views, by the states of their payouts. */
const VIEWS: readonly View[] = [
  { key: "inProgress", states: ["approved", "submitting", "accepted"] },
  { key: "inDoubt", states: ["in_doubt"], tone: "doubt" },
  { key: "onHold", states: ["on_hold"], tone: "hold" },
  { key: "declined", states: ["declined"] },
  { key: "settled", states: ["settled"] },
  { key: "returned", states: ["returned"] },
];

/**
 * The built-in views of the list of payouts. A view changes the states and keeps the other filters,
 * by which its payouts are counted.
 */
export function payoutViews(
  search: PayoutSearch,
  summary: PayoutSummary | undefined,
): readonly BuiltInView[] {
  const { state = "", cursor: _, ...others } = search;
  const counts = new Map<string, number>(
    summary?.states.map(({ state: name, payouts }) => [name, payouts]),
  );
  if (isWithoutDrafts(others)) counts.delete("draft");
  const isCounted = summary !== undefined && summary.blocked !== null;
  const countOf = (names: Iterable<string>) =>
    isCounted ? [...names].reduce((sum, name) => sum + (counts.get(name) ?? 0), 0) : undefined;
  const shown = state.split(",").toSorted().join();
  return [{ key: "all" as const, states: null }, ...VIEWS].map(({ key, states: of, ...rest }) => ({
    key,
    label: messages.views[key],
    search: payoutSearch({ ...others, state: of?.join() }),
    isCurrent: shown === (of?.toSorted().join() ?? ""),
    count: countOf(of ?? counts.keys()),
    ...rest,
  }));
}
