import type {
  Decision,
  InconclusiveAnswer,
  KnownPayout,
  MoveDecision,
  NextQuery,
  Timings,
} from "#payout/decision.ts";
import {
  isUnsent,
  LIFECYCLE,
  type PayoutEvent,
  type PayoutState,
} from "#payout/payout-lifecycle.ts";
import {
  type Outcome,
  type NoStatusAnswer,
  type StatusAnswer,
  type StatusRecord,
  statusRecordText,
} from "#payout/outcome.ts";
import { compareMoney } from "#payout/record-money.ts";
import { storedReason, reasonCode } from "#payout/reasons.ts";
import { decideRefusedSinceRestore } from "#payout/refused-since-restore.ts";
import { findSecondPayment } from "#payout/second-payment.ts";
import { answersNeeded, processingMsOf, resendWait } from "#payout/resend.ts";
import { whyNotResent } from "#payout/why-not-resent.ts";
import { DEFER_BASE_MS, DOUBT_BASE_MS, queryDelayMs, retryDelayMs } from "#payout/backoff.ts";
import { unreachable } from "#base/result.ts";
const UNCLEAR_MAX = 3;
/** Consecutive "not found" answers that end a doubt in which no request can be in progress. */
const NOT_FOUND_MIN = 2;
/** First waits after which a code refused as used should have a visible record (a minute). */
const SHOWN_AFTER = 12;
/** First waits after which a second answer confirms that a settled payout was returned. */
const RETURN_CONFIRMED_AFTER = 12;

const move = (
  event: PayoutEvent,
  why: string | null,
  dueInMs = 0,
  gatewayNumber: string | null = null,
): MoveDecision => ({ kind: "move", event, reason: why, dueInMs, gatewayNumber });

/** Returns the move that the outcome of an attempt requires. */
export function decideOutcome(
  known: Pick<KnownPayout, "attempts" | "maybeArrived"> & { readonly isRestored?: boolean },
  outcome: Outcome,
  timings: Timings,
): MoveDecision {
  switch (outcome.kind) {
    case "accepted":
      return move("accept", null, timings.resolveAfterMs);

    case "duplicate":
      // 111 proves a known code, not a payment: the status query confirms amount and currency.
      return known.maybeArrived
        ? move("accept", storedReason("duplicate_arrived"))
        : move("doubt", storedReason("duplicate_unexplained"));

    case "declined":
      // A restored ledger may have lost an attempt: a re-uploaded file has the same codes.
      if (known.isRestored && !known.maybeArrived)
        return move("doubt", storedReason("refused_since_restore", outcome.text), DOUBT_BASE_MS);
      // An earlier attempt may have been accepted before the gateway checked what it now refuses.
      return known.maybeArrived
        ? move("doubt", storedReason("refused_after_doubt", outcome.text), DOUBT_BASE_MS)
        : move("decline", storedReason("refused", outcome.text));

    case "deferred": {
      const said = storedReason("deferred", outcome.text);
      if (known.maybeArrived) return move("doubt", said, retryDelayMs(known.attempts, timings));
      // A stopped lane keeps its payouts. It stops with this move; one due sooner would be sent.
      return move(
        "defer",
        said,
        outcome.stop ? DEFER_BASE_MS : retryDelayMs(known.attempts, timings),
      );
    }

    case "in_doubt":
      return {
        ...move("doubt", storedReason("no_answer", outcome.text), DOUBT_BASE_MS),
        mayBeProcessed: true,
      };

    default:
      return unreachable(outcome);
  }
}

/** Decides what follows a status answer: a move, a later query, or the code sent again. */
export function decideStatus(known: KnownPayout, answer: StatusAnswer, timings: Timings): Decision {
  if (answer.kind !== "found" && isReturnUnconfirmed(known, timings))
    return move("hold", storedReason("contradiction", "settled, then failed; not confirmed"));
  switch (answer.kind) {
    case "found":
      return decideFound(known, answer.record, timings);
    case "not_found":
      return known.state === "in_doubt" && reasonCode(known.reason) === "refused_since_restore"
        ? decideRefusedSinceRestore(known, timings)
        : decideNotFound(known, timings);
    case "no_answer":
      return isDoubtedTooLong(known, timings)
        ? move("hold", storedReason("status_unanswered", answer.text))
        : queryLater(known, timings, null, answer);
    default:
      return unreachable(answer);
  }
}

/** Minimum time before a person is called, however short the time limit for resending is. */
const HOLD_AFTER_MIN_MS = 15 * 60_000;
const holdAfterMs = ({ resendWithinMs }: Timings): number =>
  Math.max(resendWithinMs, HOLD_AFTER_MIN_MS);

const isDoubtedTooLong = ({ state, sinceFirstSentMs }: KnownPayout, timings: Timings): boolean =>
  state === "in_doubt" && sinceFirstSentMs > holdAfterMs(timings);

/** Returns how often in a row this has been heard, including this time. */
const timesInRow = (known: KnownPayout, heard: InconclusiveAnswer): number =>
  known.statusAnswer === heard ? known.statusAnswerTimes + 1 : 1;

/** Reasons of a payout whose gateway record no recorded attempt explains. They are permanent. */
const FLAGS = ["duplicate_matched", "sent_before_restore"] as const;

/** States that follow from a final answer of the gateway. */
export const ENDED: ReadonlySet<PayoutState> = new Set(["settled", "declined", "returned"]);

/** Only money that has left can come back. */
const isImpossibleReturn = ({ state }: KnownPayout, record: StatusRecord): boolean =>
  record.state === "reversed" && state !== "settled" && state !== "returned";

function decideFound(known: KnownPayout, record: StatusRecord, timings: Timings): Decision {
  const refused = reasonCode(known.reason) === "refused_since_restore";
  const unexplained = refused || reasonCode(known.reason) === "duplicate_unexplained";
  const flag = FLAGS.find((code) => code === reasonCode(known.reason));
  const flagged = unexplained || flag !== undefined;
  const ended = ENDED.has(known.state);
  const { gatewayNumber } = record;
  const hold = (why: string) => move("hold", why, 0, gatewayNumber);
  const said = statusRecordText(record);
  const why = findSecondPayment(known, record);
  if (why !== null && LIFECYCLE.hold.from.includes(known.state)) return hold(why);
  if (known.state === "resolved") return decideResolved(known, record, timings);

  const same = compareMoney(known.money, record);
  // The gateway knows it although no attempt may have arrived: a person checks before sending.
  if (isUnsent(known.state)) {
    if (same === "different") return hold(storedReason("code_not_ours", said));
    return known.isFrozen && known.state !== "awaiting_approval" && same === "same"
      ? move("accept", storedReason("sent_before_restore"), timings.resolveAfterMs, gatewayNumber)
      : hold(storedReason("known_before_sent"));
  }
  if (same === "unreadable" || record.state === "unclear" || isImpossibleReturn(known, record)) {
    // A finished payout is not queried again and may be replaced: the first such answer counts.
    if (ended) return hold(storedReason("contradiction", `${known.state}, now unclear: ${said}`));
    return timesInRow(known, "unclear") >= UNCLEAR_MAX || isDoubtedTooLong(known, timings)
      ? hold(storedReason("unclear_status", said))
      : queryLater(known, timings, "unclear");
  }
  if (same === "different") {
    const ours = known.maybeArrived || known.state === "accepted" || ended;
    return hold(storedReason(ours && !flagged ? "amount_mismatch" : "code_not_ours", said));
  }
  const contradiction = ended ? contradictionOf(known, record) : null;
  if (contradiction !== null) return hold(storedReason("contradiction", contradiction));
  switch (record.state) {
    case "completed":
      if (ended) return queryLater(known, timings, null);
      return move(
        "settle",
        flagged ? storedReason(flag ?? "duplicate_matched") : null,
        0,
        record.gatewayNumber,
      );
    case "failed":
    case "reversed":
      if (known.state === "settled" && !flagged && isOwnRecord(known, record))
        return decideReturn(known, record, timings);
      if (known.state === "settled")
        return hold(storedReason("contradiction", "settled, now failed"));
      if (ended) return queryLater(known, timings, null);
      // The record of a code that we may never have sent says nothing about our payout.
      return flagged && !refused
        ? hold(storedReason("duplicate_failed"))
        : move("decline", storedReason("failed_at_gateway"), 0, record.gatewayNumber);
    case "pending":
      if (known.state === "accepted") return queryLater(known, timings, null);
      return move(
        "accept",
        unexplained ? storedReason("duplicate_matched") : null,
        timings.resolveAfterMs,
        record.gatewayNumber,
      );
    case "manual":
      return hold(storedReason("manual_process"));
    default:
      return unreachable(record.state);
  }
}

/** Returns how a record contradicts the final state of its payout. Null: it may be a return. */
function contradictionOf(known: KnownPayout, { state }: StatusRecord): string | null {
  if (state === "pending") return `${known.state}, now pending`;
  if (state !== "completed") return null;
  if (known.state !== "settled") return `${known.state}, now completed`;
  return isReturnReported(known) ? "settled, then failed, now completed" : null;
}

/** A code that was sent twice may have two records. Only its number tells which one this is. */
const isOwnRecord = (known: KnownPayout, { gatewayNumber }: StatusRecord): boolean =>
  !known.isRepeated || (gatewayNumber !== null && gatewayNumber === known.gatewayNumber);

const isReturnReported = ({ state, statusAnswer }: KnownPayout): boolean =>
  state === "settled" && statusAnswer === "returned";

/** Returns whether a report that a settled payout was returned has waited too long for another. */
const isReturnUnconfirmed = (known: KnownPayout, timings: Timings): boolean =>
  isReturnReported(known) && known.statusAnswerForMs > holdAfterMs(timings);

/**
 * A settled payout is returned after two answers that say so, with some time in between. Until then
 * it stays settled: a single answer may come from a server of the gateway that is out of date.
 */
function decideReturn(known: KnownPayout, record: StatusRecord, timings: Timings): Decision {
  const waitMs = RETURN_CONFIRMED_AFTER * timings.resolveAfterMs;
  return isReturnReported(known) && known.statusAnswerForMs >= waitMs
    ? move("return", storedReason("returned_by_gateway", record.state), 0, record.gatewayNumber)
    : { kind: "wait", dueInMs: waitMs, statusAnswer: "returned" };
}

/** The gateway's answer does not prove people wrong. If it contradicts them, they check again. */
function decideResolved(known: KnownPayout, record: StatusRecord, timings: Timings): Decision {
  const opposite = reasonCode(known.reason) === "resolved_arrived" ? "failed" : "completed";
  return (record.state === "reversed" ? "failed" : record.state) === opposite
    ? move(
        "hold",
        storedReason("contradiction", `resolved, now ${opposite}`),
        0,
        record.gatewayNumber,
      )
    : queryLater(known, timings, null);
}

/** The code may still arrive after an answer without it (F37), so this never declines. */
function decideNotFound(known: KnownPayout, timings: Timings): Decision {
  if (known.state === "accepted") {
    return known.sinceLastSentMs > holdAfterMs(timings)
      ? move("hold", storedReason("not_found_at_gateway"))
      : queryLater(known, timings, "not_found");
  }
  if (known.state !== "in_doubt") return queryLater(known, timings, null);

  const why = reasonCode(known.reason);
  const patient = (waits: number) => known.sinceLastSentMs >= waits * timings.resolveAfterMs;
  const heardTimes = timesInRow(known, "not_found");
  const heardMin =
    known.sinceUnansweredMs === null
      ? NOT_FOUND_MIN
      : answersNeeded(processingMsOf(known, timings));
  if (why === "duplicate_unexplained") {
    return heardTimes >= NOT_FOUND_MIN && patient(SHOWN_AFTER)
      ? move("hold", storedReason("duplicate_not_shown"))
      : queryLater(known, timings, "not_found");
  }
  const isKeptBack = heardTimes < heardMin || resendWait(known, timings).inMs > 0;
  if (isKeptBack) return queryLater(known, timings, "not_found");
  const notSentAgain = whyNotResent(known, timings);
  if (notSentAgain !== null) return move("hold", notSentAgain);
  return { ...queryLater(known, timings, "not_found"), kind: "resend" };
}

function queryLater(
  known: KnownPayout,
  timings: Timings,
  statusAnswer: InconclusiveAnswer | null,
  silence: NoStatusAnswer | null = null,
): { readonly kind: "wait" } & NextQuery {
  return { kind: "wait", dueInMs: queryDelayMs(known, timings, silence), statusAnswer };
}
