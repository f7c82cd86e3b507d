import type { Part } from "#approval/status-breakdown.ts";
import { batchStateDisplay, isSentBack, isQuarantined } from "../../../base/state.ts";
import { cancelledSentence } from "../cancelled-sentence.ts";
import { messages } from "./messages.tsx";
import type { BatchView } from "../queries.ts";

const texts = messages.summary;

/** Number of payouts in a part, in all currencies. */
export const partCount = ({ equation }: BatchView, part: Part): number =>
  equation
    .flatMap(({ parts }) => parts)
    .filter((each) => each.part === part)
    .reduce((sum, { count }) => sum + count, 0);

/** Number of payouts with a known result: neither unsent, nor in progress, nor in doubt. */
export const processedCount = (batch: BatchView): number =>
  batch.payouts -
  partCount(batch, "in_progress") -
  partCount(batch, "held_back") -
  partCount(batch, "in_doubt") -
  partCount(batch, "awaiting_approval");

/** Number of payouts not sent yet, which a person can still cancel. */
export const unsentCount = (batch: BatchView): number => countIn(batch, WAITING);

/** "In progress. 547 not sent yet. 3 in doubt; payrun is querying the gateway." */
export function statusSentence(batch: BatchView): string {
  const { state, reason } = batch;
  if (batch.cancelled !== null) {
    return cancelledSentence(batch.cancelled, (part) => partCount(batch, part));
  }
  if (batch.cancelling && state === "approved") return texts.cancelling;
  if (state !== "approved" && state !== "paused") {
    const quarantined = isQuarantined(batch);
    const { sentence } = batchStateDisplay({ ...batch, quarantined });
    if (quarantined) return sentence;
    if (isSentBack(batch)) return `${texts.sentBack(reason ?? texts.noReason)} ${sentence}`;
    return reason === null ? sentence : `${sentence} ${texts.reason(reason)}`;
  }
  const unknown = partCount(batch, "in_doubt");
  const held = partCount(batch, "on_hold");
  const unsent = countIn(batch, UNSENT);
  const heldBack = partCount(batch, "held_back");
  return [
    stoppedOf(batch) ?? sendingOf(batch),
    ...(unsent > 0 ? [texts.unsent(unsent)] : []),
    ...(heldBack > 0 ? [texts.heldBack(heldBack)] : []),
    ...(unknown > 0 ? [texts.inDoubt(unknown)] : []),
    ...(held > 0 ? [texts.onHold(held)] : []),
  ].join(" ");
}

/** Why payrun will not send the payouts that are not sent yet; null if it will. */
const stoppedOf = ({ state, reason }: BatchView): string | null =>
  state === "paused" ? texts.paused(reason ?? texts.noReason) : null;

/** Whether payrun is sending payouts of the batch. */
function sendingOf({ lanes, frozen, send }: BatchView): string {
  const unsent = lanes.filter(({ states }) => states.some(({ state }) => UNSENT.has(state)));
  if (unsent.length === 0) return texts.allSent;
  const isToCome = send?.released_at === null;
  const isStanding = isToCome || frozen !== null || unsent.every(({ stopped }) => stopped !== null);
  return isStanding ? texts.notSending : texts.sending;
}

/**
 * A key of the state that determines the permitted actions. The page reloads them when it changes.
 */
export const actionsKey = ({ state, cancelling, lanes, canary, send }: ActionsState): string =>
  JSON.stringify([
    state,
    cancelling,
    lanes.map(({ stopped, states }) => [
      stopped !== null,
      states.some((each) => WAITING.has(each.state)),
    ]),
    canary.lanes.map((lane) => lane.state),
    send,
  ]);

type ActionsState = Pick<BatchView, "state" | "cancelling" | "send"> & {
  readonly lanes: readonly Pick<BatchView["lanes"][number], "stopped" | "states">[];
  readonly canary: { readonly lanes: readonly { readonly state: string }[] };
};

const UNSENT = new Set(["approved"]);
const WAITING = new Set([...UNSENT, "held_back", "awaiting_approval"]);

const countIn = ({ lanes }: BatchView, wanted: ReadonlySet<string>): number =>
  lanes
    .flatMap(({ states }) => states)
    .filter(({ state }) => wanted.has(state))
    .reduce((sum, { count }) => sum + count, 0);

const MINUTE_S = 60;
const HOUR_S = 3_600;

/** "40 s", "12 min" or "3 h 20 min". */
export function durationText(seconds: number): string {
  if (seconds < MINUTE_S) return texts.seconds(seconds);
  if (seconds < HOUR_S) return texts.minutes(Math.round(seconds / MINUTE_S));
  return texts.hours(Math.floor(seconds / HOUR_S), Math.round((seconds % HOUR_S) / MINUTE_S));
}
