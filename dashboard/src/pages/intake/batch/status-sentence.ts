import type { Part } from "#approval/status-breakdown.ts";
import { batchStateDisplay, isQuarantined, isScheduled, isSentBack } from "../../../base/state.ts";
import { cancelledSentence } from "../cancelled-sentence.ts";
import { messages } from "./messages.tsx";
import type { BatchView } from "../queries.ts";
import { UNSENT, WAITING } from "../unsent-count.ts";

const texts = messages.summary;

/** Number of payouts in a part, in all currencies. */
export const partCount = ({ equation }: BatchView, part: Part): number =>
  equation
    .flatMap(({ parts }) => parts)
    .filter((each) => each.part === part)
    .reduce((sum, { count }) => sum + count, 0);

/** Number of payouts with a known result, which those on hold or in doubt do not have. */
export const processedCount = (batch: BatchView): number =>
  batch.payouts -
  partCount(batch, "unsent") -
  partCount(batch, "in_progress") -
  partCount(batch, "held_back") -
  partCount(batch, "on_hold") -
  partCount(batch, "in_doubt") -
  partCount(batch, "awaiting_approval");

/**
 * "payrun is sending the payouts. 3 in doubt; payrun is querying the gateway." Empty for a
 * scheduled batch, whose page says when it is sent.
 */
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
    if (isSentBack(batch)) return `${texts.sentBack(reason)} ${texts.afterSentBack}`;
    const onHold = partCount(batch, "on_hold");
    return [
      sentence,
      ...(onHold > 0 ? [texts.onHold(onHold)] : []),
      ...(reason === null ? [] : [texts.reason(reason)]),
    ].join(" ");
  }
  const unknown = partCount(batch, "in_doubt");
  const held = partCount(batch, "on_hold");
  const heldBack = partCount(batch, "held_back");
  const isToCome = state === "approved" && isScheduled(batch.send);
  return [
    ...(isToCome ? [] : [stoppedOf(batch) ?? sendingOf(batch)]),
    ...(heldBack > 0 ? [texts.heldBack(heldBack)] : []),
    ...(unknown > 0 ? [texts.inDoubt(unknown)] : []),
    ...(held > 0 ? [texts.onHold(held)] : []),
  ].join(" ");
}

/** Why payrun will not send the payouts that are not sent yet; null if it will. */
const stoppedOf = ({ state, reason }: BatchView): string | null =>
  state === "paused" ? texts.paused(reason) : null;

/** Whether payrun is sending payouts of the batch. */
function sendingOf(batch: BatchView): string {
  if (unsentLanes(batch).length === 0) {
    return partCount(batch, "in_progress") > 0 ? texts.awaitingResults : texts.allSent;
  }
  return isStanding(batch) ? texts.notSending : texts.sending;
}

const unsentLanes = ({ lanes }: BatchView) =>
  lanes.filter(({ states }) => states.some(({ state }) => UNSENT.has(state)));

/** Whether payouts wait to be sent, and payrun is sending no payouts now. */
export function isStanding(batch: BatchView): boolean {
  const { state, frozen, send } = batch;
  const unsent = unsentLanes(batch);
  if (unsent.length === 0) return false;
  const isToCome = send?.released_at === null;
  const isStopped = unsent.every(({ stopped }) => stopped !== null);
  return state === "paused" || isToCome || frozen !== null || isStopped;
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

const MINUTE_S = 60;
const HOUR_S = 3_600;

/** "40 s", "12 min" or "3 h 20 min". */
export function durationText(seconds: number): string {
  if (seconds < MINUTE_S) return texts.seconds(seconds);
  if (seconds < HOUR_S) return texts.minutes(Math.round(seconds / MINUTE_S));
  return texts.hours(Math.floor(seconds / HOUR_S), Math.round((seconds % HOUR_S) / MINUTE_S));
}
