import type { LaneThresholds } from "#payout/lane/circuit-breaker-settings.ts";
import type { Outcome } from "#payout/outcome.ts";
import type { LaneStop } from "#payout/circuit-breakers.ts";

/**
 * The result of one submission for the health of its lane: "." answered, "e" in doubt because of
 * its answer, "s" silence, "t" no answer within the timeout. "l" means that a status query found
 * the payout only after the timeout: the answer would have come later.
 */
export type SendResult = "." | "e" | "s" | "t" | "l";

/**
 * Number of recent submissions that are remembered, and the time in milliseconds after which they
 * are forgotten if none follows.
 */
export const SEND_RESULTS_KEPT = 100;
export const SEND_RESULTS_KEPT_MS = 300_000;

/**
 * Returns the mark of an outcome. Null: the answer itself stops the lane.
 *
 * @param isTimeout the deadline of the request has passed.
 */
export function sendResultOf(outcome: Outcome, isTimeout: boolean): SendResult | null {
  if ("stop" in outcome && outcome.stop) return null;
  if (outcome.kind !== "in_doubt") return ".";
  if (outcome.code !== "no_answer") return "e";
  return isTimeout ? "t" : "s";
}

/**
 * Decides whether a lane with these marks, newest last, must stop. Null: it continues. A refusal is
 * an answer: it concerns the payout and not the gateway.
 */
export function checkLaneHealth(
  all: string,
  {
    late_sends: late,
    silence_sends: silent,
    errors_sends: sends,
    errors_percent: percent,
  }: LaneThresholds,
): LaneStop | null {
  const bad = countBadSends(all, sends);
  if (bad.late >= late) return { until: "wait", breaker: "slow", reason: SLOW };
  if (bad.silence >= silent) {
    return {
      until: "wait",
      breaker: "silence",
      reason: `${bad.silence} consecutive submissions received no response`,
    };
  }
  if (bad.measured < sends || bad.errors * 100 < percent * sends) return null;
  const reason = `${bad.errors} of the last ${sends} submissions are in doubt`;
  return { until: "wait", breaker: "errors", reason };
}

/**
 * Counts the results of a lane that its circuit breakers compare with their thresholds.
 *
 * @param sends maximum number of submissions of which those in doubt are counted.
 */
export function countBadSends(all: string, sends: number) {
  const marks = all.replaceAll("l", "");
  const last = marks.slice(-sends);
  return {
    /** Timeouts and late responses. */
    late: all.slice(-LATE_WINDOW).replaceAll(/[^tl]/g, "").length,
    /** Consecutive submissions without a response. */
    silence: /[st]*$/.exec(marks)?.[0].length ?? 0,
    /** Submissions in doubt. */
    errors: last.replaceAll(".", "").length,
    /** Submissions among which those in doubt are counted. */
    measured: last.length,
  };
}

/** Number of latest marks in which late answers are counted. */
const LATE_WINDOW = 20;
const SLOW = "the gateway responds after the timeout";

/** Explains why a lane has stopped whose answers arrive too late, and what to do about it. */
export function slowText(lane: string, timeoutMs: number, slowestMs: number): string {
  const seconds = (ms: number) => `${Math.round(ms / 100) / 10} s`;
  const seen =
    slowestMs > timeoutMs
      ? `the longest processing time in the last day is ${seconds(slowestMs)}`
      : "no late response has arrived yet";
  return `${SLOW} on lane ${lane}: GATEWAY_TIMEOUT_MS is ${timeoutMs} (${seconds(timeoutMs)}), ${seen}; raise GATEWAY_TIMEOUT_MS or contact the provider`;
}

const TEXT_MAX = 120;

/**
 * Normalises an unknown answer, so the same answer is recognised although its numbers differ from
 * payout to payout.
 */
export const unknownAnswerText = (code: string, text: string): string =>
  `${code}: ${text}`.replaceAll(/\d+/g, "#").replaceAll(/\s+/g, " ").trim().slice(0, TEXT_MAX);
