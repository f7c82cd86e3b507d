import type { BatchView } from "./batch-view.ts";

/** The states of payouts that payrun will send. */
export const UNSENT: ReadonlySet<string> = new Set(["approved"]);
/** The states of payouts that were not sent, also of those that wait for a person. */
export const WAITING: ReadonlySet<string> = new Set([...UNSENT, "held_back", "awaiting_approval"]);

/** Number of payouts of a batch in these states. */
const countIn = ({ lanes }: Pick<BatchView, "lanes">, wanted: ReadonlySet<string>): number =>
  lanes
    .flatMap(({ states }) => states)
    .filter(({ state }) => wanted.has(state))
    .reduce((sum, { count }) => sum + count, 0);

/** Number of payouts not sent yet, which a person can still cancel. */
export const unsentCount = (batch: BatchView): number => countIn(batch, WAITING);
