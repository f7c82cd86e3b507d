import type { PayDeps } from "#flows/deps.ts";
import { merchantOf } from "#flows/lane.ts";
import { endTrial, steerLane } from "#flows/steer-lane.ts";
import type { OpenAttempt } from "#ledger/ledger.ts";
import { decideOutcome } from "#payout/decide.ts";
import type { Outcome } from "#payout/outcome.ts";
import { reason, type ReasonCode } from "#payout/reasons.ts";

/** When a claim was asked for, by both clocks: a machine that sleeps stops one of them. */
export interface Stamp {
  readonly wallMs: number;
  readonly monotonicMs: number;
}

export const stampOf = ({ clock }: Pick<PayDeps, "clock">): Stamp => ({
  wallMs: clock.nowMs(),
  monotonicMs: clock.monotonicMs(),
});

/**
 * Sends one payout whose attempt is on record, and records what came of it. Safe to be killed between any two
 * lines: without a recorded outcome the lease runs out, and the payout is asked for before it is sent again.
 *
 * @param claimed when the claim was asked for.
 */
export async function send(attempt: OpenAttempt, claimed: Stamp, deps: PayDeps): Promise<void> {
  const { ledger, gateway, pace } = deps;
  const { order } = attempt;

  if (!attempt.intact) return hold(attempt, "content_changed", "", deps);
  if (isTooLate(claimed, deps)) return giveBack(attempt, deps);

  const merchant = merchantOf(attempt.lane, deps);
  const callbackUrl = order.callbackUrl ?? (merchant && deps.callbackUrlOf(merchant.merchantCode));
  const submission = await gateway.submitPayout({ ...order, callbackUrl });
  if (submission.kind === "not_encodable") {
    return hold(attempt, "cannot_be_encoded", submission.text, deps);
  }
  const { outcome, evidence } = submission;
  const { number: attempts, maybeArrived, isRestored } = attempt;
  const known = { attempts, maybeArrived, isRestored };
  const decision = decideOutcome(known, outcome, pace);
  const isAnswered = evidence.httpStatus !== null;
  if (isAnswered) deps.laneStart.answered(attempt.lane);
  const [moved] = await Promise.all([
    ledger.move({
      ...decision,
      payoutId: attempt.payoutId,
      seq: attempt.seq,
      from: "submitting",
      actor: deps.worker,
      evidence: {
        kind: "answer",
        attempt: attempt.number,
        facts: { ...evidence, outcome: outcome.kind },
      },
    }),
    isAnswered ? noteProcessing(attempt.lane, evidence.elapsedMs, deps) : null,
    // What cannot be kept of the lane now shows again with the next payout; this one's answer comes but once.
    steerLane(attempt, outcome, evidence.elapsedMs, deps).catch((error: unknown) =>
      deps.log.warn({ lane: attempt.lane, err: error }, "lane not steered"),
    ),
  ]);
  if (!moved) await recordLate(attempt, outcome, deps);
}

/**
 * A process that was frozen between claim and request (a paused machine) must not wake up and send: others have
 * asked for the payout since, and may have ended it. What is sent now would end after the lease. A wall clock that
 * was set back tells nothing any more, and the other may have slept: then the lease decides, too (F62).
 */
export function isTooLate(
  { wallMs, monotonicMs }: Stamp,
  { clock, sendWithinMs }: Pick<PayDeps, "clock" | "sendWithinMs">,
): boolean {
  const byWallMs = clock.nowMs() - wallMs;
  const sinceMs = Math.max(byWallMs, clock.monotonicMs() - monotonicMs);
  return sinceMs > sendWithinMs || byWallMs < -sendWithinMs;
}

/** What comes of an attempt that would have left too late: proven not taken, for it never left. */
export const UNSENT = {
  kind: "deferred",
  code: "none",
  text: "claimed too long ago to be sent",
  stop: null,
} as const satisfies Outcome;

/** What is kept of an attempt that never left, in the place of what was answered. */
export const NOT_SENT = { httpStatus: null, text: "not sent" } as const;

/** Who has called it in doubt since goes on with it: then this changes nothing. */
async function giveBack(
  { payoutId, seq, number: attempt, maybeArrived, order }: OpenAttempt,
  { ledger, log, pace, worker }: PayDeps,
): Promise<void> {
  log.warn({ transaction_code: order.transactionCode }, UNSENT.text);
  await ledger.move({
    ...decideOutcome({ attempts: attempt, maybeArrived }, UNSENT, pace),
    payoutId,
    seq,
    from: "submitting",
    actor: worker,
    evidence: { kind: "answer", attempt, facts: { ...NOT_SENT, outcome: UNSENT.kind } },
  });
}

/** How long the gateway took for a payout request. What cannot be noted now shows again with the next slow one. */
async function noteProcessing(lane: string, tookMs: number, deps: PayDeps): Promise<void> {
  await deps.ledger
    .noteProcessing(lane, tookMs)
    .catch((error: unknown) => deps.log.warn({ lane, err: error }, "processing time not noted"));
}

/**
 * The lease ran out while we were sending, and somebody has called the payout in doubt since. The evidence is
 * kept; an acceptance still counts, anything else is only a reason to ask at once (F11, F12).
 */
async function recordLate(attempt: OpenAttempt, outcome: Outcome, deps: PayDeps): Promise<void> {
  const { ledger, log, pace, worker } = deps;
  const code = attempt.order.transactionCode;
  const now = await ledger.questionAbout(code);
  log.warn({ transaction_code: code, outcome: outcome.kind, state: now?.state }, "late outcome");
  if (!now) return;
  const { payoutId, seq, state } = now;
  const late = { payoutId, seq, from: state, actor: worker, evidence: null };
  if (outcome.kind === "accepted" && state === "in_doubt") {
    await ledger.move({ ...late, event: "accept", reason: null, dueInMs: pace.resolveAfterMs });
  } else if (outcome.kind === "accepted" && state === "declined") {
    const why = reason("contradiction", "declined, then an earlier attempt was accepted");
    await ledger.move({ ...late, event: "hold", reason: why, dueInMs: 0 });
  } else if (state === "in_doubt") {
    // Without an answer it may have been in progress until now. A refusal ends the last attempt, and those before it were waited for.
    const isOver = outcome.kind !== "in_doubt" && now.attempts === attempt.number;
    const ends = outcome.kind === "in_doubt" || isOver;
    const isNoted =
      ends &&
      (await ledger.move({
        ...late,
        event: null,
        reason: null,
        mayBeProcessed: !isOver,
        dueInMs: 0,
      }));
    if (!isNoted) await ledger.askNow(payoutId);
  }
}

/** Stops before the first byte: nothing was sent in this attempt. */
async function hold(
  attempt: OpenAttempt,
  why: ReasonCode,
  said: string,
  deps: PayDeps,
): Promise<void> {
  const before = attempt.maybeArrived ? "an earlier attempt may have arrived" : "nothing was sent";
  const text = reason(why, [said, before].filter(Boolean).join("; "));
  deps.log.error({ transaction_code: attempt.order.transactionCode, reason: why }, "payout held");
  if (attempt.onTrial) await endTrial(attempt.lane, true, deps);
  await deps.ledger.move({
    payoutId: attempt.payoutId,
    seq: attempt.seq,
    from: "submitting",
    event: "hold",
    reason: text,
    dueInMs: 0,
    actor: deps.worker,
    evidence: { kind: "answer", attempt: attempt.number, facts: { ...NOT_SENT, reason: why } },
  });
}
