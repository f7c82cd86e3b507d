import type { Decision, Heard, Known, MoveDecision, NextQuestion, Pace } from "#payout/decision.ts";
import { LIFECYCLE, type PayoutEvent } from "#payout/payout-lifecycle.ts";
import {
  type Outcome,
  type Silence,
  type StatusAnswer,
  type StatusRecord,
  saidOf,
} from "#payout/outcome.ts";
import { compareMoney } from "#payout/record-money.ts";
import { reason, reasonCode } from "#payout/reasons.ts";
import { decideRefusedSinceRestore } from "#payout/since-restore.ts";
import { takenTwice } from "#payout/taken-twice.ts";
import { answersNeeded, processingMsOf, resendWait } from "#payout/resend.ts";
import { whyNotSentAgain } from "#payout/sent-again.ts";
import { DEFER_BASE_MS, DOUBT_BASE_MS, untilAskedMs, untilSentMs } from "#payout/backoff.ts";
import { unreachable } from "#base/result.ts";
const UNCLEAR_MAX = 3;
/** Consecutive "not found" answers that end a doubt in which no request can be in progress. */
const NOT_FOUND_MIN = 2;
/** First waits after which a code refused as used should have a visible record (a minute). */
const SHOWN_AFTER = 12;

const move = (
  event: PayoutEvent,
  why: string | null,
  dueInMs = 0,
  gatewayNumber: string | null = null,
): MoveDecision => ({ kind: "move", event, reason: why, dueInMs, gatewayNumber });

/** Returns the move that the outcome of an attempt requires. */
export function decideOutcome(
  known: Pick<Known, "attempts" | "maybeArrived"> & { readonly isRestored?: boolean },
  outcome: Outcome,
  pace: Pace,
): MoveDecision {
  switch (outcome.kind) {
    case "accepted":
      return move("accept", null, pace.resolveAfterMs);

    case "duplicate":
      // 111 proves a known code, not a payment: the status query confirms amount and currency.
      return known.maybeArrived
        ? move("accept", reason("duplicate_arrived"))
        : move("doubt", reason("duplicate_unexplained"));

    case "declined":
      // A restored ledger may have lost an attempt: a re-uploaded file has the same codes.
      if (known.isRestored && !known.maybeArrived)
        return move("doubt", reason("refused_since_restore", outcome.text), DOUBT_BASE_MS);
      // An earlier attempt may have been accepted before the gateway checked what it now refuses.
      return known.maybeArrived
        ? move("doubt", reason("refused_after_doubt", outcome.text), DOUBT_BASE_MS)
        : move("decline", reason("refused", outcome.text));

    case "deferred": {
      const said = reason("deferred", outcome.text);
      if (known.maybeArrived) return move("doubt", said, untilSentMs(known.attempts, pace));
      // A stopped lane keeps its payouts. It stops with this move; one due sooner would be sent.
      return move("defer", said, outcome.stop ? DEFER_BASE_MS : untilSentMs(known.attempts, pace));
    }

    case "in_doubt":
      return {
        ...move("doubt", reason("no_answer", outcome.text), DOUBT_BASE_MS),
        mayBeProcessed: true,
      };

    default:
      return unreachable(outcome);
  }
}

/** Decides what follows a status answer: a move, a later query, or the code sent again. */
export function decideStatus(known: Known, answer: StatusAnswer, pace: Pace): Decision {
  switch (answer.kind) {
    case "found":
      return decideFound(known, answer.record, pace);
    case "not_found":
      return known.state === "in_doubt" && reasonCode(known.reason) === "refused_since_restore"
        ? decideRefusedSinceRestore(known, pace)
        : decideNotFound(known, pace);
    case "no_answer":
      return isDoubtedTooLong(known, pace)
        ? move("hold", reason("status_unanswered", answer.text))
        : askLater(known, pace, null, answer);
    default:
      return unreachable(answer);
  }
}

/** Minimum time before a person is called, however short the time limit for resending is. */
const ASKED_MIN_MS = 15 * 60_000;
const askWithin = ({ resendWithinMs }: Pace): number => Math.max(resendWithinMs, ASKED_MIN_MS);

const isDoubtedTooLong = ({ state, sinceFirstSentMs }: Known, pace: Pace): boolean =>
  state === "in_doubt" && sinceFirstSentMs > askWithin(pace);

/** Returns how often in a row this has been heard, including this time. */
const timesHeard = (known: Known, heard: Heard): number =>
  known.heard === heard ? known.heardTimes + 1 : 1;

/** Reasons of a payout whose gateway record no recorded attempt explains. They are permanent. */
const FLAGS = ["duplicate_matched", "sent_before_restore"] as const;

function decideFound(known: Known, record: StatusRecord, pace: Pace): Decision {
  const refused = reasonCode(known.reason) === "refused_since_restore";
  const unexplained = refused || reasonCode(known.reason) === "duplicate_unexplained";
  const flag = FLAGS.find((code) => code === reasonCode(known.reason));
  const flagged = unexplained || flag !== undefined;
  const ended = known.state === "settled" || known.state === "declined";
  const hold = (why: string) => move("hold", why, 0, record.gatewayNumber);
  const said = saidOf(record);
  const why = takenTwice(known, record);
  if (why !== null && LIFECYCLE.hold.from.includes(known.state)) return hold(why);
  if (known.state === "resolved") return decideClosed(known, record, pace);

  const same = compareMoney(known.money, record);
  // The gateway knows it although no attempt may have arrived: a person checks before sending.
  if (known.state === "approved" || known.state === "awaiting_approval") {
    if (same === "different") return hold(reason("code_not_ours", said));
    return known.isFrozen && known.state === "approved" && same === "same"
      ? move("accept", reason("sent_before_restore"), pace.resolveAfterMs, record.gatewayNumber)
      : hold(reason("known_before_sent"));
  }
  if (same === "unreadable" || record.state === "unclear") {
    // A finished payout is not queried again and may be replaced: the first such answer counts.
    if (ended) return hold(reason("contradiction", `${known.state}, now unclear: ${said}`));
    return timesHeard(known, "unclear") >= UNCLEAR_MAX || isDoubtedTooLong(known, pace)
      ? hold(reason("unclear_status", said))
      : askLater(known, pace, "unclear");
  }
  if (same === "different") {
    const ours = known.maybeArrived || known.state === "accepted" || ended;
    return hold(ours && !flagged ? reason("amount_mismatch", said) : reason("code_not_ours", said));
  }
  switch (record.state) {
    case "completed":
      if (known.state === "declined")
        return hold(reason("contradiction", "declined, now completed"));
      if (ended) return askLater(known, pace, null);
      return move(
        "settle",
        flagged ? reason(flag ?? "duplicate_matched") : null,
        0,
        record.gatewayNumber,
      );
    case "failed":
      if (known.state === "settled") return hold(reason("contradiction", "settled, now failed"));
      if (ended) return askLater(known, pace, null);
      // The record of a code that we may never have sent says nothing about our payout.
      return flagged && !refused
        ? hold(reason("duplicate_failed"))
        : move("decline", reason("failed_at_gateway"), 0, record.gatewayNumber);
    case "pending":
      if (ended) return hold(reason("contradiction", `${known.state}, now pending`));
      if (known.state === "accepted") return askLater(known, pace, null);
      return move(
        "accept",
        unexplained ? reason("duplicate_matched") : null,
        pace.resolveAfterMs,
        record.gatewayNumber,
      );
    case "manual":
      return hold(reason("manual_process"));
    default:
      return unreachable(record.state);
  }
}

/** The gateway's answer does not prove people wrong. If it contradicts them, they check again. */
function decideClosed(known: Known, record: StatusRecord, pace: Pace): Decision {
  const opposite = reasonCode(known.reason) === "resolved_arrived" ? "failed" : "completed";
  return record.state === opposite
    ? move("hold", reason("contradiction", `resolved, now ${opposite}`), 0, record.gatewayNumber)
    : askLater(known, pace, null);
}

/** The code may still arrive after an answer without it (F37), so this never declines. */
function decideNotFound(known: Known, pace: Pace): Decision {
  if (known.state === "accepted") {
    return known.sinceLastSentMs > askWithin(pace)
      ? move("hold", reason("not_found_at_gateway"))
      : askLater(known, pace, "not_found");
  }
  if (known.state !== "in_doubt") return askLater(known, pace, null);

  const why = reasonCode(known.reason);
  const patient = (waits: number) => known.sinceLastSentMs >= waits * pace.resolveAfterMs;
  const heardTimes = timesHeard(known, "not_found");
  const heardMin =
    known.sinceUnansweredMs === null ? NOT_FOUND_MIN : answersNeeded(processingMsOf(known, pace));
  if (why === "duplicate_unexplained") {
    return heardTimes >= NOT_FOUND_MIN && patient(SHOWN_AFTER)
      ? move("hold", reason("duplicate_not_shown"))
      : askLater(known, pace, "not_found");
  }
  const isKeptBack = heardTimes < heardMin || resendWait(known, pace).inMs > 0;
  if (isKeptBack) return askLater(known, pace, "not_found");
  const notSentAgain = whyNotSentAgain(known, pace);
  if (notSentAgain !== null) return move("hold", notSentAgain);
  return { ...askLater(known, pace, "not_found"), kind: "resend" };
}

function askLater(
  known: Known,
  pace: Pace,
  heard: Heard | null,
  silence: Silence | null = null,
): { readonly kind: "wait" } & NextQuestion {
  return { kind: "wait", dueInMs: untilAskedMs(known, pace, silence), heard };
}
