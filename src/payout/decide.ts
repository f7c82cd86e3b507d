import { type Money, readDecimal } from "#money/money.ts";
import type { PayoutEvent, PayoutState } from "#payout/lifecycle.ts";
import {
  type Outcome,
  type Silence,
  type StatusAnswer,
  type StatusRecord,
  saidOf,
} from "#payout/outcome.ts";
import { reason, reasonCode } from "#payout/reasons.ts";
import { decideRefusedSinceRestore } from "#payout/since-restore.ts";
import { DEFER_BASE_MS, DOUBT_BASE_MS, untilAskedMs, untilSentMs } from "#payout/waits.ts";
import { unreachable } from "#result.ts";

/**
 * What to do with a payout after an answer. Pure: the money rules of the product stand here and nowhere else
 * (docs/once.md; docs/gateway.md sections 6 and 7).
 */
export type Decision =
  | MoveDecision
  /** No change of state: ask again later. */
  | ({ readonly kind: "wait" } & NextQuestion)
  /** Send the same code again; while that may not be, ask again later. */
  | ({ readonly kind: "resend" } & NextQuestion);

interface NextQuestion {
  readonly dueInMs: number;
  readonly heard: Heard | null;
}

export interface MoveDecision {
  readonly kind: "move";
  readonly event: PayoutEvent;
  readonly reason: string | null;
  readonly dueInMs: number;
  readonly gatewayNumber: string | null;
}

/** Answers that decide nothing once, and something when they repeat. Silence is none of them. */
export type Heard = "not_found" | "unclear";

/** What is known of a payout when an answer about it comes in. */
export interface Known {
  readonly state: PayoutState;
  readonly reason: string | null;
  readonly money: Money;
  readonly attempts: number;
  /** Leases that ran out in a row: workers that died with it in hand. */
  readonly crashes: number;
  /** What the last readable answers said, without this one, and how often in a row. */
  readonly heard: Heard | null;
  readonly heardTimes: number;
  /** An attempt has ended without a conclusive answer. */
  readonly maybeArrived: boolean;
  /** The ledger is frozen: it may have forgotten that it sent what it calls approved. */
  readonly isFrozen: boolean;
  /** It pays a declined payout again, and that one is not conclusively declined any more. */
  readonly isOvertaken: boolean;
  /** Since the first attempt that may count: one that was refused for good reason starts the clock anew. */
  readonly sinceFirstSentMs: number;
  readonly sinceLastSentMs: number;
}

export interface Pace {
  /** First status query after acceptance. */
  readonly resolveAfterMs: number;
  /**
   * The gateway is trusted to refuse a repeated code for twice this long, and an hour longer than this. Past it nothing is sent again by
   * itself, only asked for.
   */
  readonly resendWithinMs: number;
  /** A number in [0, 1): full jitter. */
  readonly chance: () => number;
}

/** A request may arrive as long as its timestamp is taken, an hour (docs/gateway.md), and the clocks may differ. */
const ARRIVES_WITHIN_MS = 70 * 60_000;

/**
 * How long after its first attempt a payout is sent again by itself, where a repeated code is refused for
 * `remembersMs`: half of it, and never so that the last request could arrive after it.
 */
export const resendWithinOf = (remembersMs: number): number =>
  Math.max(0, Math.min(remembersMs / 2, remembersMs - ARRIVES_WITHIN_MS));

const CRASHES_MAX = 3;
const UNCLEAR_MAX = 3;
/** "Not found" is believed the second time, and not before the last attempt is twice the first question's wait old. */
const NOT_FOUND_MIN = 2;
const BELIEVED_AFTER = 2;
/** A record under a code that the gateway refuses as used should have appeared after this many first waits (a minute). */
const SHOWN_AFTER = 12;

const move = (
  event: PayoutEvent,
  why: string | null,
  dueInMs = 0,
  gatewayNumber: string | null = null,
): MoveDecision => ({ kind: "move", event, reason: why, dueInMs, gatewayNumber });

/** The move that the outcome of an attempt calls for. */
export function decideOutcome(
  known: Pick<Known, "attempts" | "maybeArrived"> & { readonly isRestored?: boolean },
  outcome: Outcome,
  pace: Pace,
): MoveDecision {
  switch (outcome.kind) {
    case "accepted":
      return move("accept", null, pace.resolveAfterMs);

    case "duplicate":
      // 111 proves that the code is known, not that the money moved: the status query confirms amount and currency.
      return known.maybeArrived
        ? move("accept", reason("duplicate_arrived"))
        : move("doubt", reason("duplicate_unexplained"));

    case "declined":
      // A restored ledger may have forgotten an attempt: the code is the same when its file comes in again.
      if (known.isRestored && !known.maybeArrived)
        return move("doubt", reason("refused_since_restore", outcome.text), DOUBT_BASE_MS);
      // An earlier attempt may have been taken before the gateway looked at what it now refuses.
      return known.maybeArrived
        ? move("doubt", reason("refused_after_doubt", outcome.text), DOUBT_BASE_MS)
        : move("decline", reason("refused", outcome.text));

    case "deferred": {
      const said = reason("deferred", outcome.text);
      if (known.maybeArrived) return move("doubt", said, untilSentMs(known.attempts, pace));
      // A stopped lane keeps its rows. It is stopped beside this move: what was due before that would be sent once more.
      return move("defer", said, outcome.stop ? DEFER_BASE_MS : untilSentMs(known.attempts, pace));
    }

    case "in_doubt":
      return move("doubt", reason("no_answer", outcome.text), DOUBT_BASE_MS);

    default:
      return unreachable(outcome);
  }
}

/** What the answer to a status query calls for: a move, another question later, or the same code sent again. */
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

/** A person is not called sooner than this, however short the time in which a code may be sent again. */
const ASKED_MIN_MS = 15 * 60_000;
const askWithin = ({ resendWithinMs }: Pace): number => Math.max(resendWithinMs, ASKED_MIN_MS);

const isDoubtedTooLong = ({ state, sinceFirstSentMs }: Known, pace: Pace): boolean =>
  state === "in_doubt" && sinceFirstSentMs > askWithin(pace);

const isLate = (known: Known, pace: Pace): boolean => known.sinceFirstSentMs > pace.resendWithinMs;

/** How often in a row this has been heard, with this time. */
const timesHeard = (known: Known, heard: Heard): number =>
  known.heard === heard ? known.heardTimes + 1 : 1;

/** Reasons of a payout whose record at the gateway no attempt on record explains. They stay to the end. */
const FLAGS = ["duplicate_matched", "sent_before_restore"] as const;

function decideFound(known: Known, record: StatusRecord, pace: Pace): Decision {
  const refused = reasonCode(known.reason) === "refused_since_restore";
  const unexplained = refused || reasonCode(known.reason) === "duplicate_unexplained";
  const flag = FLAGS.find((code) => code === reasonCode(known.reason));
  const flagged = unexplained || flag !== undefined;
  const ended = known.state === "settled" || known.state === "declined";
  const hold = (why: string) => move("hold", why, 0, record.gatewayNumber);
  const said = saidOf(record);
  if (known.state === "closed") return decideClosed(known, record, pace);

  const same = compare(known.money, record);
  // Known at the gateway although we sent nothing that may have arrived: a person looks before anything is sent.
  if (known.state === "approved" || known.state === "awaiting_approval") {
    if (same === "different") return hold(reason("code_not_ours", said));
    return known.isFrozen && known.state === "approved" && same === "same"
      ? move("accept", reason("sent_before_restore"), pace.resolveAfterMs, record.gatewayNumber)
      : hold(reason("known_before_sent"));
  }
  if (same === "unreadable" || record.state === "unclear") {
    // Nobody asks again about what has ended, and it may be paid once more: the first such word counts.
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

/** The gateway's word proves nothing about what people found out elsewhere; where it says the opposite, they look again. */
function decideClosed(known: Known, record: StatusRecord, pace: Pace): Decision {
  const opposite = reasonCode(known.reason) === "closed_arrived" ? "failed" : "completed";
  return record.state === opposite
    ? move("hold", reason("contradiction", `closed, now ${opposite}`), 0, record.gatewayNumber)
    : askLater(known, pace, null);
}

/** An answer without our code. It is no proof that the code will never arrive (F37), so it never declines. */
function decideNotFound(known: Known, pace: Pace): Decision {
  if (known.state === "accepted") {
    return known.sinceLastSentMs > askWithin(pace)
      ? move("hold", reason("not_found_at_gateway"))
      : askLater(known, pace, "not_found");
  }
  if (known.state !== "in_doubt") return askLater(known, pace, null);

  const why = reasonCode(known.reason);
  const patient = (waits: number) => known.sinceLastSentMs >= waits * pace.resolveAfterMs;
  const heardEnough = timesHeard(known, "not_found") >= NOT_FOUND_MIN;
  if (why === "duplicate_unexplained") {
    return heardEnough && patient(SHOWN_AFTER)
      ? move("hold", reason("duplicate_not_shown"))
      : askLater(known, pace, "not_found");
  }
  // At once it may be lag, or a request still under way. Each further attempt is given twice as long (F60).
  const waits = BELIEVED_AFTER * 2 ** Math.min(known.attempts - 1, 6);
  if (!heardEnough || !patient(waits)) return askLater(known, pace, "not_found");
  // Refused when it was sent again, and the attempt before may still arrive: nobody can call that declined.
  if (why === "refused_after_doubt") return move("hold", known.reason);
  if (known.crashes >= CRASHES_MAX) return move("hold", reason("poison"));
  if (isLate(known, pace)) return move("hold", reason("resend_window_over"));
  if (known.isOvertaken) return move("hold", reason("overtaken"));
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

/** Amounts compare as exact decimals: "100", "100.0" and "100.00" are one amount, a float would not do (F121). */
function compare(
  { currency, minor, minorDigits }: Money,
  record: StatusRecord,
): "same" | "different" | "unreadable" {
  const amount = readDecimal(record.amount.trim(), minorDigits);
  if (!amount) return "unreadable";
  if (record.currency.toUpperCase() !== currency) return "different";
  return amount.minor === minor && amount.minorDigits === minorDigits ? "same" : "different";
}
