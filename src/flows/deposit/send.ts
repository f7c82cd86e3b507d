import { decideDepositOutcome } from "#deposit/decide-outcome.ts";
import type { WaitDecision } from "#deposit/decision.ts";
import { DEPOSIT_LIFECYCLE } from "#deposit/lifecycle.ts";
import type { DepositOutcome } from "#deposit/outcome.ts";
import { type DepositReason, depositReason, depositReasonCode } from "#deposit/reasons.ts";
import { stepsOf } from "#deposit/requirements.ts";
import type { DepositDeps } from "#flows/deposit/deps.ts";
import { isTooLate, NOT_SENT, type ClaimTime, TOO_LATE_OUTCOME } from "#flows/payout/send.ts";
import { retryWhileUnavailable } from "#ledger/store/database-errors.ts";
import type { OpenDepositAttempt } from "#ledger/deposit/attempts.ts";
import type { DueDeposit } from "#ledger/deposit/transitions.ts";

/**
 * How long recording an outcome is retried while the database restarts. After that the lease takes
 * over.
 */
const PATIENCE_MS = 30_000;

/**
 * Sends one request whose attempt is recorded, and records the outcome. Safe to be killed between
 * any two lines: without a recorded outcome the lease runs out, and the status is queried before
 * anything is sent again.
 *
 * @param claimed the time at which the claim was requested.
 */
export async function sendDeposit(
  attempt: OpenDepositAttempt,
  claimed: ClaimTime,
  deps: DepositDeps,
): Promise<void> {
  const { gateway, log, timings } = deps;
  const { order, depositor } = attempt;
  const code = order.transactionCode;
  if (!attempt.intact) return stop(attempt, "content_changed", "", deps);
  const reply = isTooLate(claimed, deps)
    ? ({ kind: "attempted", outcome: TOO_LATE_OUTCOME, evidence: NOT_SENT } as const)
    : depositor
      ? await gateway.submitDepositor(depositor)
      : await gateway.requestDeposit(order);
  if (reply.kind === "not_encodable") return stop(attempt, "cannot_be_encoded", reply.text, deps);
  if (reply.outcome === TOO_LATE_OUTCOME)
    log.warn({ transaction_code: code }, TOO_LATE_OUTCOME.text);

  const { evidence } = reply;
  const outcome = plausibleOutcome(reply.outcome, deps);
  const record = {
    code,
    seq: attempt.seq,
    actor: deps.worker,
    evidence: {
      kind: "answer" as const,
      attempt: attempt.number,
      facts: { ...evidence, outcome: outcome.kind },
    },
  };
  const decision = decideDepositOutcome(knownOf(attempt), outcome, timings);
  const moved = await withPatience(deps, () =>
    deps.ledger.deposit.moveDeposit({
      ...record,
      from: "requested",
      ...(decision.kind === "move" ? decision : keepRequested(decision, outcome)),
    }),
  );
  if (!moved) await recordLate(attempt, outcome, deps);
}

const knownOf = (attempt: OpenDepositAttempt) => {
  const { money } = attempt.order;
  return { ...attempt, money, steps: stepsOf(money.currency), attempts: attempt.number };
};

/** Proven not taken: the deposit stays requested and is sent again. */
const keepRequested = ({ dueInMs }: WaitDecision, outcome: DepositOutcome) => ({
  event: null,
  reason: depositReason("deferred", "text" in outcome ? outcome.text : ""),
  dueInMs,
});

/**
 * Records an outcome after the lease ran out during the request and another worker marked the
 * deposit as in doubt. The content of the answer still counts, because only this answer tells the
 * payer where to pay.
 */
async function recordLate(
  attempt: OpenDepositAttempt,
  outcome: DepositOutcome,
  deps: DepositDeps,
): Promise<void> {
  const { ledger, log, timings, worker } = deps;
  const code = attempt.order.transactionCode;
  const now = await ledger.deposit.findDepositWork(code);
  log.warn(
    { transaction_code: code, outcome: outcome.kind, state: now?.state },
    "outcome arrived after the lease expired",
  );
  if (!now) return;
  const decision = decideDepositOutcome(knownOf(attempt), outcome, timings);
  const isTold = outcome.kind === "accepted" || outcome.kind === "awaiting_bank";
  const isOfStep = now.step === attempt.step;
  const told = isTold && isOfStep && decision.kind === "move" ? decision : null;
  const { seq, state: from } = now;
  const late = { code, seq, from, actor: worker, evidence: null } as const;
  if (from === "in_doubt") {
    if (told && DEPOSIT_LIFECYCLE[told.event].from.includes(from)) {
      await ledger.deposit.moveDeposit({ ...told, ...late });
    } else {
      await ledger.deposit.makeDepositQueryDue(code);
    }
  } else if (told && isMissing(now, outcome)) {
    const { facts } = told;
    const kept = { event: null, reason: depositReason("answered_late"), facts };
    await ledger.deposit.moveDeposit({ ...late, ...kept, dueInMs: timings.resolveAfterMs });
  }
}

/**
 * Returns whether the deposit was waiting for the content of this answer: the payment instructions,
 * or the banks to choose from.
 */
const isMissing = ({ reason }: DueDeposit, { kind }: DepositOutcome): boolean =>
  depositReasonCode(reason) === (kind === "accepted" ? "answer_lost" : "banks_lost");

/**
 * Discards an end of the payment time that lies before the arrival of the answer: its time zone is
 * wrong.
 */
function plausibleOutcome(outcome: DepositOutcome, { clock }: DepositDeps): DepositOutcome {
  if (outcome.kind !== "accepted" || !outcome.expiry) return outcome;
  const { atMs } = outcome.expiry;
  return atMs === null || atMs > clock.nowMs()
    ? outcome
    : { ...outcome, expiry: { ...outcome.expiry, atMs: null } };
}

/** Stops before the first byte: this attempt sent nothing. */
async function stop(
  attempt: OpenDepositAttempt,
  why: DepositReason,
  said: string,
  deps: DepositDeps,
): Promise<void> {
  const code = attempt.order.transactionCode;
  deps.log.error({ transaction_code: code, reason: why }, "deposit not sent");
  // Sealed content that does not match needs a person. Content that cannot be encoded now can never
  // be sent, and no part has arrived.
  const event = why === "content_changed" || attempt.maybeArrived ? "hold" : "decline";
  await deps.ledger.deposit.moveDeposit({
    code,
    seq: attempt.seq,
    from: "requested",
    event: attempt.step === 2 && why === "cannot_be_encoded" ? "request_account_again" : event,
    reason: depositReason(why, said),
    dueInMs: attempt.step === 2 ? deps.timings.resolveAfterMs : null,
    actor: deps.worker,
    evidence: {
      kind: "answer",
      attempt: attempt.number,
      facts: { ...NOT_SENT, reason: why },
    },
  });
}

const withPatience = <T>({ clock }: DepositDeps, work: () => Promise<T>): Promise<T> =>
  retryWhileUnavailable(PATIENCE_MS, (delayMs) => clock.sleep(delayMs), work);
