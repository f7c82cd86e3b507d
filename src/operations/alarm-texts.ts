import type { Observations } from "#operations/observations.ts";

const MINUTE_MS = 60_000;

/**
 * Splits the sentence of an alarm into its title and the lanes, batches or causes that follow it:
 * "1 lane stopped", "INR · Mumbai office (timeouts)". `detail` is null if the sentence has none.
 */
export function titleAndDetail(says: string): { title: string; detail: string | null } {
  const at = says.indexOf(": ");
  if (at < 0) return { title: says, detail: null };
  return { title: says.slice(0, at), detail: says.slice(at + 2) };
}

/** Returns the sentence if the condition is met, else null. */
export const when = (isSo: boolean, sentence: () => string): string | null =>
  isSo ? sentence() : null;

/** Returns a duration in minutes or hours. */
export const minutes = (ms: number): string => {
  const count = Math.round(ms / MINUTE_MS);
  return count < 120 ? `${count} min` : `${Math.round(count / 60)} h`;
};

/** Returns a number of things: "1 lane", "2 lanes". */
export const things = (count: number, name: string): string =>
  `${count.toLocaleString("en")} ${name}${count === 1 ? "" : name.endsWith("s") ? "es" : "s"}`;

/** Returns lanes with their reasons. */
export const lanesText = (
  lanes: readonly { readonly name: string; readonly reason: string }[],
): string => lanes.map(({ name, reason }) => `${name} (${reason})`).join("; ");

/** States that lanes have stopped. Null: none has. */
export const stoppedText = (lanes: Observations["stopped"], how: string): string | null =>
  when(
    lanes.length > 0,
    () => `${things(lanes.length, "lane")} stopped${how}: ${lanesText(lanes)}`,
  );

/** More batches or webhooks than this are counted, not named. */
const NAMED_MAX = 3;

/** States that approved payouts wait for a decision on their batch. */
export const waitingText = (waiting: Observations["waiting"]): string => {
  const shown = waiting.slice(0, NAMED_MAX).map(({ batchId, reason }) => `${batchId} (${reason})`);
  const more = waiting.length - shown.length;
  return `approved payouts are waiting for a decision on their batch: ${shown.join("; ")}${more > 0 ? `; and ${more} more` : ""}`;
};

/** States that batches lack approvals. */
export const unapprovedText = (batchIds: readonly string[]): string => {
  const shown = batchIds.slice(0, NAMED_MAX).join(", ");
  const more = batchIds.length - NAMED_MAX;
  return `the ledger was changed outside payrun, and these batches are approved or being sent without the required approvals: ${shown}${more > 0 ? `, and ${more} more` : ""}`;
};

/** States that accepted payouts have no readable status. */
export const silenceText = (silent: Observations["silent"]): string => {
  const lanes = silent.map(({ name, count, isMore, code, silentMs }) => ({
    name,
    reason: `${isMore ? "at least " : ""}${things(count, "payout")}, the oldest for ${minutes(silentMs)}: ${code}`,
  }));
  return `the gateway is not returning a readable status for payouts that it has accepted: ${lanesText(lanes)}`;
};

/** States that webhooks do not receive events. */
export const webhooksText = (webhooks: Observations["webhooks"]): string => {
  const names = webhooks
    .slice(0, NAMED_MAX)
    .map(({ name, behindMs }) => `${name} (since ${minutes(behindMs)})`);
  const more = webhooks.length - names.length;
  return `${things(webhooks.length, "webhook")} not receiving events: ${names.join("; ")}${more > 0 ? `; and ${more} more` : ""}`;
};
