import { type OpenSpan, withSpan } from "#base/telemetry/spans.ts";
import type { PayDeps } from "#flows/deps.ts";
import { merchantOf } from "#flows/payout/lane/lane-merchant.ts";
import { queryBeforeSend } from "#flows/payout/query-before-send.ts";
import { recordProbeResult, updateLaneHealth } from "#flows/payout/lane/update-lane-health.ts";
import type { OpenAttempt } from "#ledger/ledger.ts";
import { decideOutcome } from "#payout/decide.ts";
import type { Outcome } from "#payout/outcome.ts";
import type { StatusQuery } from "#ledger/payout/status-queries.ts";
import { reasonCode, storedReason, type ReasonCode } from "#payout/reasons.ts";

/**
 * The time at which a claim was requested, by both clocks: a machine that sleeps stops one clock.
 */
export interface ClaimTime {
  readonly wallMs: number;
  readonly monotonicMs: number;
}

/** Returns the current wall time and monotonic time, in milliseconds. */
export const claimTimeNow = ({ clock }: Pick<PayDeps, "clock">): ClaimTime => ({
  wallMs: clock.nowMs(),
  monotonicMs: clock.monotonicMs(),
});

/**
 * Sends one payout whose attempt is recorded, and records the outcome. Safe to be killed between
 * any two lines: without a recorded outcome the lease runs out, and the status of the payout is
 * queried before it is sent again.
 *
 * @param claimed the time at which the claim was requested.
 * @param batchId the batch to which the span of the payout links.
 */
export function sendPayout(
  attempt: OpenAttempt,
  claimed: ClaimTime,
  deps: PayDeps,
  batchId?: string,
): Promise<void> {
  const { transactionCode } = attempt.order;
  return withSpan(
    {
      name: "send payout",
      of: { transactionCode, ...(batchId !== undefined && { batchId }) },
      isFirst: attempt.number === 1,
      ...(batchId !== undefined && { links: [{ batchId }] }),
      facts: { "payrun.lane": attempt.lane, "payrun.attempt": attempt.number },
    },
    (span) => sendOnce(attempt, claimed, deps, span),
  );
}

async function sendOnce(
  attempt: OpenAttempt,
  claimed: ClaimTime,
  deps: PayDeps,
  span: OpenSpan,
): Promise<void> {
  const { ledger, gateway, timings } = deps;
  const { order } = attempt;

  if (!attempt.intact) return holdPayout(attempt, "content_changed", "", deps);
  if (isTooLate(claimed, deps)) return returnUnsent(attempt, deps);
  const replacing = await queryBeforeSend(attempt, deps);
  if (replacing !== null) return returnUnsent(attempt, deps, { outcome: replacing });
  // The answer holds for the next claim: what the ledger has forgotten was sent before the restore.
  if (isTooLate(claimed, deps))
    return returnUnsent(attempt, deps, { answered: attempt.mayBeForgotten });

  const merchant = merchantOf(attempt.lane, deps);
  const callbackUrl = order.callbackUrl ?? (merchant && deps.callbackUrlOf(merchant.merchantCode));
  const submission = await gateway.submitPayout({ ...order, callbackUrl });
  if (submission.kind === "not_encodable") {
    return holdPayout(attempt, "cannot_be_encoded", submission.text, deps);
  }
  const { outcome, evidence } = submission;
  span.set({ "payrun.outcome": outcome.kind });
  const { number: attempts, maybeArrived, isRestored } = attempt;
  const known = { attempts, maybeArrived, isRestored };
  const decision = decideOutcome(known, outcome, timings);
  const isAnswered = evidence.httpStatus !== null;
  if (isAnswered) deps.laneStart.answered(attempt.lane);
  const [moved] = await Promise.all([
    ledger.payout.move({
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
    isAnswered ? recordProcessingTime(attempt.lane, evidence.elapsedMs, deps) : null,
    // If the state of the lane cannot be recorded now, the next payout shows it again. The answer
    // of this payout arrives only once.
    updateLaneHealth(attempt, outcome, evidence.elapsedMs, deps).catch((error: unknown) =>
      deps.log.warn({ lane: attempt.lane, err: error }, "lane health not updated"),
    ),
  ]);
  if (!moved) await recordLate(attempt, outcome, deps);
}

/**
 * Returns whether too much time has passed since the claim to send. A process that was frozen
 * between claim and request (a paused machine) must not wake up and send: others have queried the
 * payout since, and may have finished it, and the request would end after the lease. A wall clock
 * that was set back proves nothing, and the other clock may have stopped during sleep: this counts
 * as too late as well, and the lease decides (F62).
 */
export function isTooLate(
  { wallMs, monotonicMs }: ClaimTime,
  { clock, sendWithinMs }: Pick<PayDeps, "clock" | "sendWithinMs">,
): boolean {
  const byWallMs = clock.nowMs() - wallMs;
  const sinceMs = Math.max(byWallMs, clock.monotonicMs() - monotonicMs);
  return sinceMs > sendWithinMs || byWallMs < -sendWithinMs;
}

/**
 * The outcome of an attempt that was claimed too long ago to be sent: proven not taken, because no
 * byte was sent.
 */
export const TOO_LATE_OUTCOME = {
  kind: "deferred",
  code: "none",
  text: "claimed too long ago to be sent",
  stop: null,
} as const satisfies Outcome;

/** Recorded in place of an answer for an attempt that was never sent. */
export const NOT_SENT = { httpStatus: null, text: "not sent" } as const;

interface Replacement {
  readonly outcome?: Outcome;
  /** The gateway has reported that it does not know the payout. */
  readonly answered?: boolean;
}

/**
 * Records an attempt that sent nothing. Unless the gateway already has the payout, this makes it
 * available again. If another worker has marked it as in doubt since, that
 * worker continues, and this call changes nothing.
 */
async function returnUnsent(
  { payoutId, seq, number: attempt, maybeArrived, order, lane, isProbe }: OpenAttempt,
  deps: PayDeps,
  { outcome = TOO_LATE_OUTCOME, answered = false }: Replacement = {},
): Promise<void> {
  const { ledger, log, timings, worker } = deps;
  const decision = decideOutcome({ attempts: attempt, maybeArrived }, outcome, timings);
  log.warn({ transaction_code: order.transactionCode, reason: decision.reason }, "payout not sent");
  if (isProbe && outcome.kind === "duplicate") await recordProbeResult(lane, true, deps);
  await ledger.payout.move({
    ...decision,
    answered,
    payoutId,
    seq,
    from: "submitting",
    actor: worker,
    evidence: { kind: "answer", attempt, facts: { ...NOT_SENT, outcome: outcome.kind } },
  });
}

/**
 * Records how long the gateway took for a payout request. If this fails, the next slow request
 * shows it again.
 */
async function recordProcessingTime(lane: string, tookMs: number, deps: PayDeps): Promise<void> {
  await deps.ledger.payout
    .recordProcessingTime(lane, tookMs)
    .catch((error: unknown) => deps.log.warn({ lane, err: error }, "processing time not recorded"));
}

/**
 * Records an outcome after the lease ran out during the request and another worker marked the
 * payout as in doubt. The evidence is stored. An acceptance still counts; any other outcome only
 * triggers an immediate status query (F11, F12).
 */
async function recordLate(attempt: OpenAttempt, outcome: Outcome, deps: PayDeps): Promise<void> {
  const { ledger, log, timings, worker } = deps;
  const code = attempt.order.transactionCode;
  const now = await ledger.payout.findStatusQuery(code);
  log.warn(
    { transaction_code: code, outcome: outcome.kind, state: now?.state },
    "outcome arrived after the lease expired",
  );
  if (!now) return;
  const { payoutId, seq, state } = now;
  const late = { payoutId, seq, from: state, actor: worker, evidence: null };
  if (outcome.kind === "accepted" && state === "in_doubt") {
    await ledger.payout.move({
      ...late,
      event: "accept",
      reason: null,
      dueInMs: timings.resolveAfterMs,
    });
  } else if (outcome.kind === "accepted" && isUnpaid(now)) {
    const why = storedReason("contradiction", `${state}, then an earlier attempt was accepted`);
    await ledger.payout.move({ ...late, event: "hold", reason: why, dueInMs: 0 });
  } else if (state === "in_doubt") {
    // Without an answer the request may have been in progress until now. A refusal finishes the
    // last attempt, and the attempts before it were waited for.
    const isOver = outcome.kind !== "in_doubt" && now.attempts === attempt.number;
    const ends = outcome.kind === "in_doubt" || isOver;
    const isNoted =
      ends &&
      (await ledger.payout.move({
        ...late,
        event: null,
        reason: null,
        mayBeProcessed: !isOver,
        dueInMs: 0,
      }));
    if (!isNoted) await ledger.payout.makeStatusQueryDue(payoutId);
  }
}

/** Whether the ledger says that no money left the account. */
const isUnpaid = ({ state, reason }: StatusQuery): boolean =>
  state === "declined" || (state === "resolved" && reasonCode(reason) === "resolved_not_arrived");

/** Stops before the first byte: this attempt sent nothing. */
async function holdPayout(
  attempt: OpenAttempt,
  why: ReasonCode,
  said: string,
  deps: PayDeps,
): Promise<void> {
  const before = attempt.maybeArrived ? "an earlier attempt may have arrived" : "nothing was sent";
  const text = storedReason(why, [said, before].filter(Boolean).join("; "));
  deps.log.error(
    { transaction_code: attempt.order.transactionCode, reason: why },
    "payout put on hold",
  );
  if (attempt.isProbe) await recordProbeResult(attempt.lane, true, deps);
  await deps.ledger.payout.move({
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
