import type { PayDeps } from "#flows/deps.ts";
import { classOf } from "#gateway/meter.ts";
import type { OpenAttempt } from "#ledger/ledger.ts";
import { judgeHealth, type Mark, markOf, slowText, unreadText } from "#payout/lane/lane-health.ts";
import type { Outcome } from "#payout/outcome.ts";
import type { LaneStop } from "#payout/circuit-breakers.ts";

/**
 * Updates the health of a lane after an answer. Stops the lane if the answer concerns more than
 * this payout, or trips a circuit breaker; opens it if the payouts sent on trial got no such
 * answers.
 *
 * @param tookMs milliseconds until the answer, or until the request was given up.
 */
export async function steerLane(
  { lane, onTrial }: Pick<OpenAttempt, "lane" | "onTrial">,
  outcome: Outcome,
  tookMs: number,
  deps: PayDeps,
): Promise<void> {
  const stop = "stop" in outcome ? outcome.stop : null;
  if (stop) return stopLane(lane, stop, deps);
  if (onTrial) await endTrial(lane, outcome.kind !== "in_doubt", deps);
  if (outcome.kind === "in_doubt" && classOf(outcome) === "unmapped") {
    await noteUnread(lane, unreadText(outcome.code, outcome.text), deps);
  }
  const mark = markOf(outcome, tookMs >= deps.timeoutMs);
  if (mark) await noteMark(lane, mark, deps);
}

async function noteMark(lane: string, mark: Mark, deps: PayDeps): Promise<void> {
  const marks = await deps.ledger.payout.noteMark(lane, mark);
  const tripped = marks === null ? null : judgeHealth(marks, deps.brakesOf(lane));
  if (!tripped) return;
  const reason =
    tripped.breaker === "slow"
      ? slowText(lane, deps.timeoutMs, await deps.ledger.payout.slowestIn(lane))
      : tripped.reason;
  await stopLane(lane, { ...tripped, reason }, deps);
}

/**
 * Records that a status query showed a payout so long after its request that the answer would have
 * come after the timeout.
 */
export async function noteLate(lane: string, tookMs: number, deps: PayDeps): Promise<void> {
  await deps.ledger.payout.noteProcessing(lane, tookMs);
  if (tookMs > deps.timeoutMs) await noteMark(lane, "l", deps);
}

async function noteUnread(lane: string, answer: string, deps: PayDeps): Promise<void> {
  const times = await deps.ledger.payout.noteUnread(lane, answer);
  if (times === null || times <= deps.brakesOf(lane).unknown_answers) return;
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
export async function endTrial(
  lane: string,
  isAnswered: boolean,
  { ledger, log }: PayDeps,
): Promise<void> {
  if (await ledger.payout.endTrial(lane, isAnswered)) log.info({ lane }, "lane opened");
}
