import type { Part } from "#approval/status-breakdown.ts";
import { batchStateDisplay, isQuarantined, isScheduled, isSentBack } from "../../../base/state.ts";
import { cancelledSentence } from "../cancelled-sentence.ts";
import { messages } from "./messages.tsx";
import type { BatchView } from "../batch-view.ts";
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

/** Parts with a final state that is not settled, in the order of the sentence. */
const EXCEPTIONS = ["declined", "returned", "cancelled", "resolved"] as const;

/**
 * The state of the batch in numbers: "38 of 40 settled. 2 were declined." Empty for a scheduled
 * batch, whose page says when it is sent, and for a batch that only waits for approval.
 */
export function statusSentence(batch: BatchView): string {
  const { state, reason, rejected, rows, payouts } = batch;
  if (batch.cancelled !== null) {
    return cancelledSentence(batch.cancelled, (part) => partCount(batch, part));
  }
  if (batch.cancelling && state === "approved") return texts.cancelling;
  if (isQuarantined(batch)) return batchStateDisplay({ ...batch, quarantined: true }).sentence;
  if (isSentBack(batch)) return `${texts.sentBack(reason)} ${texts.afterSentBack}`;
  const said = reason === null ? [] : [texts.reason(reason)];
  switch (state) {
    case "needs_correction":
      return [texts.toCorrect(rejected, rows), ...said].join(" ");
    case "draft":
      return [texts.draft(payouts), ...said].join(" ");
    case "awaiting_approval":
      return said.join(" ");
    case "approved":
    case "paused":
      return openSentence(batch);
    case "finished":
    case "finished_with_exceptions":
    case "cancelled":
      return [...outcomeOf(batch), ...waitingOf(batch), ...said].join(" ");
  }
}

/** The state of a batch that payrun sends or tracks. */
function openSentence(batch: BatchView): string {
  const heldBack = partCount(batch, "held_back");
  const isToCome = batch.state === "approved" && isScheduled(batch.send);
  return [
    ...(isToCome ? [] : [...outcomeOf(batch), stoppedOf(batch) ?? sendingOf(batch)]),
    ...(heldBack > 0 ? [texts.heldBack(heldBack)] : []),
    ...waitingOf(batch),
  ].join(" ");
}

/** "38 of 40 settled." "2 were declined." */
const outcomeOf = (batch: BatchView): string[] => [
  texts.settled(partCount(batch, "settled"), batch.payouts),
  ...EXCEPTIONS.flatMap((part) => {
    const payouts = partCount(batch, part);
    return payouts === 0 ? [] : [texts[part](payouts)];
  }),
];

/** The payouts without a known result. */
function waitingOf(batch: BatchView): string[] {
  const unknown = partCount(batch, "in_doubt");
  const onHold = partCount(batch, "on_hold");
  return [
    ...(unknown > 0 ? [texts.inDoubt(unknown)] : []),
    ...(onHold > 0 ? [texts.onHold(onHold)] : []),
  ];
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
