import type { PayDeps } from "#flows/deps.ts";
import { trafficCounterOf } from "#gateway/meter.ts";
import type { OpenAttempt } from "#ledger/ledger.ts";
import {
  checkLaneHealth,
  type SendResult,
  sendResultOf,
  slowText,
  unknownAnswerText,
} from "#payout/lane/lane-health.ts";
import type { Outcome } from "#payout/outcome.ts";
import type { LaneStop } from "#payout/circuit-breakers.ts";

/**
 * Updates the health of a lane after an answer. Stops the lane if the answer concerns more than
 * this payout, or trips a circuit breaker; opens it if the payouts sent on trial got no such
 * answers.
 *
 * @param tookMs milliseconds until the answer, or until the request was given up.
 */
export async function updateLaneHealth(
  { lane, isProbe }: Pick<OpenAttempt, "lane" | "isProbe">,
  outcome: Outcome,
  tookMs: number,
  deps: PayDeps,
): Promise<void> {
  const stop = "stop" in outcome ? outcome.stop : null;
  if (stop) return stopLane(lane, stop, deps);
  if (isProbe) await recordProbeResult(lane, outcome.kind !== "in_doubt", deps);
  if (outcome.kind === "in_doubt" && trafficCounterOf(outcome) === "unmapped") {
    await recordUnknownAnswer(lane, unknownAnswerText(outcome.code, outcome.text), deps);
  }
  const mark = sendResultOf(outcome, tookMs >= deps.timeoutMs);
  if (mark) await recordSendResult(lane, mark, deps);
}

async function recordSendResult(lane: string, mark: SendResult, deps: PayDeps): Promise<void> {
  const marks = await deps.ledger.payout.recordSendResult(lane, mark);
  const tripped = marks === null ? null : checkLaneHealth(marks, deps.thresholdsOf(lane));
  if (!tripped) return;
  const reason =
    tripped.breaker === "slow"
      ? slowText(lane, deps.timeoutMs, await deps.ledger.payout.longestProcessingMs(lane))
      : tripped.reason;
  await stopLane(lane, { ...tripped, reason }, deps);
}

/**
 * Records that a status query showed a payout so long after its request that the answer would have
 * come after the timeout.
 */
export async function recordLateAnswer(lane: string, tookMs: number, deps: PayDeps): Promise<void> {
  await deps.ledger.payout.recordProcessingTime(lane, tookMs);
  if (tookMs > deps.timeoutMs) await recordSendResult(lane, "l", deps);
}

async function recordUnknownAnswer(lane: string, answer: string, deps: PayDeps): Promise<void> {
  const times = await deps.ledger.payout.recordUnknownAnswer(lane, answer);
  if (times === null || times <= deps.thresholdsOf(lane).unknown_answers) return;
  const reason = `the gateway returned the same unknown response ${times} times: ${answer}`;
  await stopLane(lane, { until: "person", breaker: "unknown_answer", reason }, deps);
}

async function stopLane(lane: string, stop: LaneStop, { ledger, log }: PayDeps): Promise<void> {
  const stopped = await ledger.payout.stopLane(lane, stop);
  if (stopped) log.warn({ lane, reason: stop.reason }, "lane stopped");
}

/**
 * Records the result of the single payout that a stopped lane may send, and logs if the lane
 * opened.
 */
export async function recordProbeResult(
  lane: string,
  isAnswered: boolean,
  { ledger, log }: PayDeps,
): Promise<void> {
  if (await ledger.payout.recordProbeResult(lane, isAnswered)) log.info({ lane }, "lane opened");
}
