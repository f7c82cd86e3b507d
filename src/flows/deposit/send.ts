import { decideDepositOutcome } from "#deposit/decide-outcome.ts";
import type { WaitDecision } from "#deposit/decision.ts";
import { DEPOSIT_LIFECYCLE } from "#deposit/lifecycle.ts";
import type { DepositOutcome } from "#deposit/outcome.ts";
import { type DepositReason, depositReason, depositReasonCode } from "#deposit/reasons.ts";
import { stepsOf } from "#deposit/requirements.ts";
import type { DepositDeps } from "#flows/deposit/deps.ts";
import { isTooLate, NOT_SENT, type Stamp, UNSENT } from "#flows/payout/send.ts";
import { withPatience } from "#ledger/store/database.ts";
import type { OpenDeposit } from "#ledger/deposit/attempts.ts";
import {
  askDepositNow,
  depositQuestion,
  type DepositQuestion,
  moveDeposit,
} from "#ledger/deposit/transitions.ts";

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
  attempt: OpenDeposit,
  claimed: Stamp,
  deps: DepositDeps,
): Promise<void> {
  const { gateway, log, pace } = deps;
  const { order, depositor } = attempt;
  const code = order.transactionCode;
  if (!attempt.intact) return stop(attempt, "content_changed", "", deps);
  const reply = isTooLate(claimed, deps)
    ? ({ kind: "attempted", outcome: UNSENT, evidence: NOT_SENT } as const)
    : depositor
      ? await gateway.submitDepositor(depositor)
      : await gateway.requestDeposit(order);
  if (reply.kind === "not_encodable") return stop(attempt, "cannot_be_encoded", reply.text, deps);
  if (reply.outcome === UNSENT) log.warn({ transaction_code: code }, UNSENT.text);

  const { evidence } = reply;
  const outcome = believable(reply.outcome, deps);
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
  const decision = decideDepositOutcome(knownOf(attempt), outcome, pace);
  const moved = await patiently(deps, () =>
    moveDeposit(deps.database, deps.sealer, {
      ...record,
      from: "requested",
      ...(decision.kind === "move" ? decision : notTaken(decision, outcome)),
    }),
  );
  if (!moved) await recordLate(attempt, outcome, deps);
}

const knownOf = (attempt: OpenDeposit) => {
  const { money } = attempt.order;
  return { ...attempt, money, steps: stepsOf(money.currency), attempts: attempt.number };
};

/** Proven not taken: the deposit stays requested and is sent again. */
const notTaken = ({ dueInMs }: WaitDecision, outcome: DepositOutcome) => ({
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
  attempt: OpenDeposit,
  outcome: DepositOutcome,
  deps: DepositDeps,
): Promise<void> {
  const { database, sealer, log, pace, worker } = deps;
  const code = attempt.order.transactionCode;
  const now = await depositQuestion(database, code);
  log.warn(
    { transaction_code: code, outcome: outcome.kind, state: now?.state },
    "outcome arrived after the lease expired",
  );
  if (!now) return;
  const decision = decideDepositOutcome(knownOf(attempt), outcome, pace);
  const isTold = outcome.kind === "accepted" || outcome.kind === "awaiting_bank";
  const isOfStep = now.step === attempt.step;
  const told = isTold && isOfStep && decision.kind === "move" ? decision : null;
  const { seq, state: from } = now;
  const late = { code, seq, from, actor: worker, evidence: null } as const;
  if (from === "in_doubt") {
    if (told && DEPOSIT_LIFECYCLE[told.event].from.includes(from)) {
      await moveDeposit(database, sealer, { ...told, ...late });
    } else {
      await askDepositNow(database, code);
    }
  } else if (told && isMissing(now, outcome)) {
    const { learnt } = told;
    const kept = { event: null, reason: depositReason("answered_late"), learnt };
    await moveDeposit(database, sealer, { ...late, ...kept, dueInMs: pace.resolveAfterMs });
  }
}

/**
 * Returns whether the deposit was waiting for the content of this answer: the payment instructions,
 * or the banks to choose from.
 */
const isMissing = ({ reason }: DepositQuestion, { kind }: DepositOutcome): boolean =>
  depositReasonCode(reason) === (kind === "accepted" ? "answer_lost" : "banks_lost");

/**
 * Discards an end of the payment time that lies before the arrival of the answer: its time zone is
 * wrong.
 */
function believable(outcome: DepositOutcome, { clock }: DepositDeps): DepositOutcome {
  if (outcome.kind !== "accepted" || !outcome.expiry) return outcome;
  const { atMs } = outcome.expiry;
  return atMs === null || atMs > clock.nowMs()
    ? outcome
    : { ...outcome, expiry: { ...outcome.expiry, atMs: null } };
}

/** Stops before the first byte: this attempt sent nothing. */
async function stop(
  attempt: OpenDeposit,
  why: DepositReason,
  said: string,
  deps: DepositDeps,
): Promise<void> {
  const code = attempt.order.transactionCode;
  deps.log.error({ transaction_code: code, reason: why }, "deposit not sent");
  // Sealed content that does not match needs a person. Content that cannot be encoded now can never
  // be sent, and no part has arrived.
  const event = why === "content_changed" || attempt.maybeArrived ? "hold" : "decline";
  await moveDeposit(deps.database, deps.sealer, {
    code,
    seq: attempt.seq,
    from: "requested",
    event: attempt.step === 2 && why === "cannot_be_encoded" ? "request_account_again" : event,
    reason: depositReason(why, said),
    dueInMs: attempt.step === 2 ? deps.pace.resolveAfterMs : null,
    actor: deps.worker,
    evidence: {
      kind: "answer",
      attempt: attempt.number,
      facts: { ...NOT_SENT, reason: why },
    },
  });
}

const patiently = <T>({ clock }: DepositDeps, work: () => Promise<T>): Promise<T> =>
  withPatience(PATIENCE_MS, (delayMs) => clock.sleep(delayMs), work);
