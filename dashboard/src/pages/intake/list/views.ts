import type { ListedBatchState } from "../../../base/state.ts";
import { type StateView, viewsByState } from "../../../components/views/built-in-views.ts";
import type { BuiltInView } from "../../../components/views/list-views.tsx";
import type { Answer } from "../../../server/client.ts";
import { messages } from "./list-messages.ts";
import { type BatchesSearch, batchesSearch } from "./search-params.ts";

/** The built-in views, by the states of their batches. */
const VIEWS: readonly StateView<keyof typeof messages.views, ListedBatchState>[] = [
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

/** The built-in views of the list of batches. */
export const batchViews = (
  search: BatchesSearch,
  states: Answer<"GET /api/batch-summary">["states"] | undefined,
): readonly BuiltInView[] =>
  viewsByState(VIEWS, {
    labels: messages.views,
    state: search.state,
    counts: states && new Map(states.map(({ state, batches }) => [state, batches])),
    addressOf: (state) => batchesSearch({ ...search, state }),
  });
