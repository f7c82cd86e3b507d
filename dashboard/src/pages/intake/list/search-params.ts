import { startOfDay } from "../../../base/local-time.ts";
import { textParams } from "../../../base/list/text-params.ts";
import type { ListedBatchState } from "../../../base/state.ts";

type BatchTask = "duplicates" | "retry";

/** Filters of the list of batches, as in the URL. */
export interface BatchesSearch {
  readonly text?: string;
  /** One or more states, separated by commas. */
  readonly state?: string;
  /** The reader's batches in which Home lists this task. */
  readonly task?: BatchTask;
  /** A part of the uploader's name. */
  readonly maker?: string;
  /** Dates in the reader's time zone: 2026-12-31. */
  readonly from?: string;
  readonly to?: string;
  readonly sort?: "newest" | "oldest" | "most_rows" | "fewest_rows" | "largest" | "smallest";
}

const KEYS = ["text", "state", "task", "maker", "from", "to", "sort"] as const;

/** Keeps the known filters of a page address and ignores its other parameters. */
export const batchesSearch = (given: Record<string, unknown>): BatchesSearch =>
  textParams(given, KEYS) as BatchesSearch;

/** Lists call the approved batches that are neither scheduled nor held back "approved". */
const stateQuery = (states: string) => ({
  state: (states.split(",") as ListedBatchState[]).map((state) =>
    state === "approved" ? "released" : state,
  ),
});

/** The query of the API: from the start of the first date to the end of the last. */
export function batchesQuery({ state, from, to, ...same }: BatchesSearch) {
  return {
    ...same,
    ...(state && stateQuery(state)),
    ...(from === undefined ? {} : { from: startOfDay(from) }),
    ...(to === undefined ? {} : { to: startOfDay(to, 1) }),
  };
}

/** The number of filters. The sort order hides no batch. */
export const filterCount = (search: BatchesSearch): number =>
  Object.keys(search).filter((name) => name !== "sort").length;
