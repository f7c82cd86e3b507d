import type { PayDeps } from "#flows/deps.ts";
import { classOf } from "#gateway/meter.ts";
import type { OpenAttempt } from "#ledger/ledger.ts";
import { judgeHealth, markOf, unreadText } from "#payout/health.ts";
import type { LaneStop, Outcome } from "#payout/outcome.ts";

/**
 * Stops the lane when the answer blames more than this payout, or is one too many; opens it when those that were sent
 * on trial were not so answered.
 */
export async function steerLane(
  { lane, onTrial }: Pick<OpenAttempt, "lane" | "onTrial">,
  outcome: Outcome,
  deps: PayDeps,
): Promise<void> {
  const stop = "stop" in outcome ? outcome.stop : null;
  if (stop) return stopLane(lane, stop, deps);
  if (onTrial) await endTrial(lane, outcome.kind !== "in_doubt", deps);
  if (outcome.kind === "in_doubt" && classOf(outcome) === "unmapped") {
    await noteUnread(lane, unreadText(outcome.code, outcome.text), deps);
  }
  const mark = markOf(outcome);
  const marks = mark && (await deps.ledger.noteMark(lane, mark));
  const tripped = marks === null ? null : judgeHealth(marks, deps.brakesOf(lane));
  if (tripped) await stopLane(lane, tripped, deps);
}

async function noteUnread(lane: string, answer: string, deps: PayDeps): Promise<void> {
  const times = await deps.ledger.noteUnread(lane, answer);
  if (times === null || times <= deps.brakesOf(lane).unread_answers) return;
  const reason = `an answer that payrun does not know, ${times} times: ${answer}`;
  await stopLane(lane, { until: "person", brake: "first_seen", reason }, deps);
}

async function stopLane(lane: string, stop: LaneStop, { ledger, log }: PayDeps): Promise<void> {
  const stopped = await ledger.stopLane(lane, stop);
  if (stopped) log.warn({ lane, reason: stop.reason }, "lane stopped");
}

export async function endTrial(
  lane: string,
  isAnswered: boolean,
  { ledger, log }: PayDeps,
): Promise<void> {
  if (await ledger.endTrial(lane, isAnswered)) log.info({ lane }, "lane opened");
}
