import type { Part } from "#batch/equation.ts";
import { BATCH_STATES } from "../../state.ts";
import { plural } from "../../words.ts";
import type { BatchPage } from "./queries.ts";

/** How many payouts of all currencies are in a part. */
export const countOf = ({ equation }: BatchPage, part: Part): number =>
  equation
    .flatMap(({ parts }) => parts)
    .filter((each) => each.part === part)
    .reduce((sum, { count }) => sum + count, 0);

/** "Sending. 640 of 1,190 have an answer. 3 unknown are being checked. About 4 min left." */
export function sentenceOf(batch: BatchPage): string {
  const { state, payouts, reason, seconds_left: seconds } = batch;
  if (state !== "approved" && state !== "paused") {
    const said = reason === null ? "" : ` “${reason}”`;
    return BATCH_STATES[state].sentence + said;
  }
  const answered = payouts - countOf(batch, "waiting") - unansweredOf(batch);
  const unknown = countOf(batch, "unknown");
  const held = countOf(batch, "needs_you");
  return [
    state === "paused" ? `Paused: “${reason ?? "no reason given"}”.` : "Sending.",
    `${answered.toLocaleString()} of ${payouts.toLocaleString()} have an answer.`,
    ...(unknown > 0 ? [`${unknown.toLocaleString()} unknown, being checked.`] : []),
    ...(held > 0 ? [`${plural(held, "payout")} ${held === 1 ? "needs" : "need"} you.`] : []),
    ...(seconds === null ? [] : [`About ${durationText(seconds)} left.`]),
  ].join(" ");
}

const UNANSWERED = new Set(["approved", "submitting", "in_doubt"]);

const unansweredOf = ({ lanes }: BatchPage): number =>
  lanes
    .flatMap(({ states }) => states)
    .filter(({ state }) => UNANSWERED.has(state))
    .reduce((sum, { count }) => sum + count, 0);

const MINUTE_S = 60;
const HOUR_S = 3_600;

function durationText(seconds: number): string {
  if (seconds < MINUTE_S) return `${seconds} s`;
  if (seconds < HOUR_S) return `${Math.round(seconds / MINUTE_S)} min`;
  return `${Math.floor(seconds / HOUR_S)} h ${Math.round((seconds % HOUR_S) / MINUTE_S)} min`;
}
