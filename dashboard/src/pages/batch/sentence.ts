import type { Part } from "#batch/equation.ts";
import { batchWords, isGivenBack } from "../../state.ts";
import { plural } from "../../words.ts";
import type { BatchPage } from "./queries.ts";

/** How many payouts of all currencies are in a part. */
export const countOf = ({ equation }: BatchPage, part: Part): number =>
  equation
    .flatMap(({ parts }) => parts)
    .filter((each) => each.part === part)
    .reduce((sum, { count }) => sum + count, 0);

/** "Sending. 640 of 1,190 have an answer. 547 not sent yet. 3 unknown, being checked. About 4 min left." */
export function sentenceOf(batch: BatchPage): string {
  const { state, payouts, reason, seconds_left: seconds } = batch;
  if (state !== "approved" && state !== "paused") {
    const { sentence } = batchWords(batch);
    if (isGivenBack(batch)) return `Given back: “${reason ?? "no reason given"}”. ${sentence}`;
    return reason === null ? sentence : `${sentence} “${reason}”`;
  }
  const answered = payouts - countOf(batch, "waiting") - countIn(batch, UNANSWERED);
  const unknown = countOf(batch, "unknown");
  const held = countOf(batch, "needs_you");
  const unsent = countIn(batch, UNSENT);
  return [
    state === "paused" ? `Paused: “${reason ?? "no reason given"}”.` : sendingOf(batch),
    `${answered.toLocaleString()} of ${payouts.toLocaleString()} have an answer.`,
    ...(unsent > 0 ? [`${unsent.toLocaleString()} not sent yet.`] : []),
    ...(unknown > 0 ? [`${unknown.toLocaleString()} unknown, being checked.`] : []),
    ...(held > 0 ? [`${plural(held, "payout")} ${held === 1 ? "needs" : "need"} you.`] : []),
    ...(seconds === null ? [] : [`About ${durationText(seconds)} left.`]),
  ].join(" ");
}

/** Whether anything of it is on its way out. */
function sendingOf({ lanes, frozen, send }: BatchPage): string {
  const unsent = lanes.filter(({ states }) => states.some(({ state }) => UNSENT.has(state)));
  if (unsent.length === 0) return "Nothing waits to be sent.";
  const isToCome = send?.let_go_at === null;
  const isStanding = isToCome || frozen !== null || unsent.every(({ stopped }) => stopped !== null);
  return isStanding ? "Nothing of it is sent at the moment." : "Sending.";
}

/** What it hangs on what may be done about a batch: where it is another, that is asked for again. */
export const steeredBy = ({ state, lanes, canary, send }: Steered): string =>
  JSON.stringify([
    state,
    lanes.map(({ stopped, states }) => [
      stopped !== null,
      states.some((each) => WAITING.has(each.state)),
    ]),
    canary.lanes.map((lane) => lane.state),
    send,
  ]);

type Steered = Pick<BatchPage, "state" | "send"> & {
  readonly lanes: readonly Pick<BatchPage["lanes"][number], "stopped" | "states">[];
  readonly canary: { readonly lanes: readonly { readonly state: string }[] };
};

const UNSENT = new Set(["approved"]);
const WAITING = new Set([...UNSENT, "awaiting_approval"]);
const UNANSWERED = new Set([...UNSENT, "submitting", "in_doubt"]);

const countIn = ({ lanes }: BatchPage, wanted: ReadonlySet<string>): number =>
  lanes
    .flatMap(({ states }) => states)
    .filter(({ state }) => wanted.has(state))
    .reduce((sum, { count }) => sum + count, 0);

const MINUTE_S = 60;
const HOUR_S = 3_600;

function durationText(seconds: number): string {
  if (seconds < MINUTE_S) return `${seconds} s`;
  if (seconds < HOUR_S) return `${Math.round(seconds / MINUTE_S)} min`;
  return `${Math.floor(seconds / HOUR_S)} h ${Math.round((seconds % HOUR_S) / MINUTE_S)} min`;
}
