import type { ListedBatchState, Tone } from "../../../base/state.ts";
import type { BuiltInView } from "../../../components/views/list-views.tsx";
import type { Answer } from "../../../server/client.ts";
import { messages } from "./list-messages.ts";
import { type BatchesSearch, batchesSearch } from "./search-params.ts";

interface View {
  readonly key: keyof typeof messages.views;
  readonly states: readonly ListedBatchState[];
  readonly tone?: Tone;
}

/** The built-in views, by the states of their batches. */
const VIEWS: readonly View[] = [
  { key: "drafts", states: ["draft"] },
  { key: "toCorrect", states: ["needs_correction"], tone: "hold" },
  { key: "waiting", states: ["awaiting_approval"], tone: "awaiting" },
  { key: "running", states: ["approved", "scheduled"] },
  { key: "finished", states: ["finished", "finished_with_exceptions", "cancelled"] },
  {
    key: "attention",
    states: ["paused", "held_back", "finished_with_exceptions"],
    tone: "declined",
  },
];

/**
 * The built-in views of the list of batches. A view changes the states and keeps the other filters,
 * by which its batches are counted.
 */
export function batchViews(
  search: BatchesSearch,
  states: Answer<"GET /api/batch-summary">["states"] | undefined,
): readonly BuiltInView[] {
  const counts = new Map<string, number>(states?.map(({ state, batches }) => [state, batches]));
  const countOf = (names: Iterable<string>) =>
    states && [...names].reduce((sum, name) => sum + (counts.get(name) ?? 0), 0);
  const shown = search.state?.split(",").toSorted().join() ?? "";
  return [{ key: "all" as const, states: null }, ...VIEWS].map(({ key, states: of, ...rest }) => ({
    key,
    label: messages.views[key],
    search: batchesSearch({ ...search, state: of?.join() }),
    isCurrent: shown === (of?.toSorted().join() ?? ""),
    count: countOf(of ?? counts.keys()),
    ...rest,
  }));
}
