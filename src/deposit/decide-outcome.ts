import {
  parseAmountOf,
  DOUBT_BASE_MS,
  type DepositMove,
  type KnownDeposit,
  move,
  REQUEST_WITHIN_MS,
  type WaitDecision,
} from "#deposit/decision.ts";
import type { DepositOutcome } from "#deposit/outcome.ts";
import { type DepositReason, depositReason } from "#deposit/reasons.ts";
import { unreachable } from "#base/result.ts";
import type { Timings } from "#payout/decision.ts";

const AGAIN_BASE_MS = 1_000;
const AGAIN_MAX_MS = 60_000;

type AfterRequest = Pick<
  KnownDeposit,
  "step" | "steps" | "money" | "attempts" | "maybeArrived" | "sinceFirstSentMs"
>;

/**
 * Decides about a request that was proven not taken and waits to be sent again. Null: it is sent
 * again. After REQUEST_WITHIN_MS the payer has waited too long for payment instructions.
 */
export function decideRetry(
  { step, maybeArrived, sinceFirstSentMs }: AfterRequest,
  timings: Timings,
): DepositMove | null {
  if (sinceFirstSentMs <= REQUEST_WITHIN_MS) return null;
  if (step === 2) return returnToPayer("", timings);
  return maybeArrived
    ? move("doubt", depositReason("no_answer"), DOUBT_BASE_MS)
    : move("decline", depositReason("not_accepted"), null);
}

/** Decides after a request, either for the deposit itself or with the payer's account. */
export function decideDepositOutcome(
  known: AfterRequest,
  outcome: DepositOutcome,
  timings: Timings,
): DepositMove | WaitDecision {
  const doubt = (why: DepositReason, said = "") =>
    move("doubt", depositReason(why, said), DOUBT_BASE_MS);
  switch (outcome.kind) {
    case "accepted":
    case "awaiting_bank": {
      const payable = parseAmountOf(known.money, outcome.amount);
      // Success with an amount that cannot be paid exactly: the deposit's status is queried.
      if (payable === null) return doubt("no_answer", `unusable amount ${outcome.amount}`);
      if (outcome.kind === "awaiting_bank" && known.steps === 1) {
        return doubt("no_answer", "unexpected list of banks");
      }
      if (outcome.kind === "awaiting_bank") {
        return known.step === 1
          ? move("request_account", null, timings.resolveAfterMs, { payable, banks: outcome.banks })
          : doubt("no_answer", "unexpected list of banks");
      }
      const { gatewayNumber, destination, expiry } = outcome;
      const learnt = { gatewayNumber, payable, accepted: { destination, expiry } };
      return move("accept", null, timings.resolveAfterMs, learnt);
    }
    case "duplicate":
      if (known.step === 2) return doubt("account_known");
      return doubt(known.maybeArrived ? "duplicate_arrived" : "duplicate_unexplained");

    case "declined":
      if (known.step === 2) return returnToPayer(outcome.text, timings);
      return known.maybeArrived
        ? doubt("refused_after_doubt", outcome.text)
        : move("decline", depositReason("refused", outcome.text), null);

    case "deferred": {
      if (known.step === 2) return returnToPayer(outcome.text, timings);
      if (known.maybeArrived) return doubt("refused_after_doubt", outcome.text);
      const isHopeless =
        outcome.stop?.until === "person" || known.sinceFirstSentMs > REQUEST_WITHIN_MS;
      return isHopeless
        ? move("decline", depositReason("not_accepted", outcome.text), null)
        : { kind: "wait", dueInMs: backoff(known.attempts, timings), statusAnswer: null };
    }
    case "in_doubt":
      return doubt("no_answer", outcome.text);

    default:
      return unreachable(outcome);
  }
}

/** The account was proven not taken. The payer may send it again, or another one. */
const returnToPayer = (said: string, timings: Timings): DepositMove =>
  move(
    "request_account_again",
    depositReason("account_not_accepted", said),
    timings.resolveAfterMs,
  );

/** Full jitter, as for payouts (F60). */
const backoff = (attempts: number, timings: Timings): number =>
  Math.round(
    Math.min(AGAIN_BASE_MS * 2 ** Math.min(attempts, 20), AGAIN_MAX_MS) * timings.random(),
  );
