import { startOfDay } from "../../days.ts";
import type { ListedState } from "../../state.ts";

/** What the list of batches is filtered by; it stands in the address. */
export interface BatchesSearch {
  readonly text?: string;
  readonly state?: ListedState;
  /** A part of the name of who brought it. */
  readonly maker?: string;
  /** Days of the reader's own calendar: 2026-12-31. */
  readonly from?: string;
  readonly to?: string;
  readonly cursor?: string;
}

const KEYS = ["text", "state", "maker", "from", "to", "cursor"] as const;

export function batchesSearch(given: Record<string, unknown>): BatchesSearch {
  const kept = KEYS.flatMap((key) => {
    const value = given[key];
    // What looks like a number in the address has become one.
    const text = typeof value === "number" ? `${value}` : value;
    return typeof text === "string" && text !== "" ? [[key, text]] : [];
  });
  return Object.fromEntries(kept) as BatchesSearch;
}

/** What is approved is told apart by its time. */
const stateQuery = (state: ListedState) =>
  state === "approved" || state === "waits" || state === "stuck"
    ? { state: "approved" as const, send: state === "approved" ? ("out" as const) : state }
    : { state };

/** As the API takes them: from the first moment of a day to the last of the other. */
export function queryOf({ state, from, to, ...same }: BatchesSearch) {
  return {
    ...same,
    ...(state && stateQuery(state)),
    ...(from === undefined ? {} : { from: startOfDay(from) }),
    ...(to === undefined ? {} : { to: startOfDay(to, 1) }),
  };
}
