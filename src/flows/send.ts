import type { PayDeps } from "#flows/deps.ts";
import type { OpenAttempt } from "#ledger/ledger.ts";
import { decideOutcome } from "#payout/decide.ts";
import type { Outcome } from "#payout/outcome.ts";
import { reason, type ReasonCode } from "#payout/reasons.ts";

/**
 * Sends one payout whose attempt is on record, and records what came of it. Safe to be killed between any two
 * lines: without a recorded outcome the lease runs out, and the payout is asked for before it is sent again.
 */
export async function send(attempt: OpenAttempt, deps: PayDeps): Promise<void> {
  const { ledger, gateway, keyring, pace } = deps;
  const { order } = attempt;

  const merchant = keyring.forCurrency(order.money.currency);
  const callbackUrl = order.callbackUrl ?? (merchant && deps.callbackUrlOf(merchant.merchantCode));
  const stamped = { ...order, callbackUrl };
  if (!attempt.intact) return hold(attempt, "content_changed", "", deps);

  const submission = await gateway.submitPayout(stamped);
  if (submission.kind === "not_encodable") {
    return hold(attempt, "cannot_be_encoded", submission.text, deps);
  }
  const { outcome, evidence } = submission;

  const decision = decideOutcome(knownOf(attempt), outcome, pace);
  if (decision.kind !== "move") throw new Error(`no move after ${outcome.kind}`);
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
    steerLane(attempt, outcome, deps),
  ]);
  if (!moved) await recordLate(attempt, outcome, deps);
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
  if (now?.state !== "in_doubt") return;
  if (outcome.kind !== "accepted") return ledger.askNow(attempt.payoutId);
  await ledger.move({
    payoutId: attempt.payoutId,
    seq: now.seq,
    from: now.state,
    event: "accept",
    reason: null,
    dueInMs: pace.resolveAfterMs,
    actor: worker,
    evidence: null,
  });
}

/** Stops before the first byte: nothing was sent in this attempt. */
async function hold(
  attempt: OpenAttempt,
  why: ReasonCode,
  said: string,
  deps: PayDeps,
): Promise<void> {
  const text = reason(why, said);
  deps.log.error({ transaction_code: attempt.order.transactionCode, reason: why }, "payout held");
  if (attempt.onTrial) await openAfterTrial(attempt.lane, deps);
  await deps.ledger.move({
    payoutId: attempt.payoutId,
    seq: attempt.seq,
    from: "submitting",
    event: "hold",
    reason: text,
    dueInMs: 0,
    actor: deps.worker,
    evidence: { kind: "answer", attempt: attempt.number, facts: { text: "not sent", reason: why } },
  });
}

/** Stops the lane when the answer blames more than this payout; opens it when a payout on trial was not so answered. */
async function steerLane(attempt: OpenAttempt, outcome: Outcome, deps: PayDeps): Promise<void> {
  const stop = "stop" in outcome ? outcome.stop : null;
  if (stop) {
    const stopped = await deps.ledger.stopLane(attempt.lane, stop);
    if (stopped) deps.log.warn({ lane: attempt.lane, reason: stop.reason }, "lane stopped");
  } else if (attempt.onTrial) await openAfterTrial(attempt.lane, deps);
}

async function openAfterTrial(lane: string, { ledger, log }: PayDeps): Promise<void> {
  const opened = await ledger.openLanes([lane]);
  if (opened.length > 0) log.info({ lane }, "lane opened");
}

const knownOf = (attempt: OpenAttempt) => ({
  state: "submitting" as const,
  reason: attempt.reason,
  money: attempt.order.money,
  attempts: attempt.number,
  crashes: attempt.crashes,
  asks: 0,
  maybeArrived: attempt.maybeArrived,
  sinceFirstSentMs: attempt.sinceFirstSentMs,
  sinceLastSentMs: 0,
});
