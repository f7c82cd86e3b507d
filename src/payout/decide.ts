import type { Money } from "#money/money.ts";
import type { PayoutEvent, PayoutState } from "#payout/lifecycle.ts";
import type { Outcome, StatusAnswer, StatusRecord } from "#payout/outcome.ts";
import { reason, reasonCode } from "#payout/reasons.ts";
import { unreachable } from "#result.ts";

/**
 * What to do with a payout after an answer. Pure: the money rules of the product stand here and nowhere else
 * (architecture: Once; protocol.md sections 6 and 7).
 */
export type Decision =
  | {
      readonly kind: "move";
      readonly event: PayoutEvent;
      readonly reason: string | null;
      readonly dueInMs: number;
      readonly gatewayNumber: string | null;
    }
  /** No change of state: ask again later. */
  | { readonly kind: "wait"; readonly dueInMs: number }
  /** Send the same code again. */
  | { readonly kind: "resend" };

/** What is known of a payout when an answer about it comes in. */
export interface Known {
  readonly state: PayoutState;
  readonly reason: string | null;
  readonly money: Money;
  readonly attempts: number;
  /** Leases that ran out in a row: workers that died with it in hand. */
  readonly crashes: number;
  /** Questions since the last change of state, without this one. */
  readonly asks: number;
  /** An attempt has ended without a conclusive answer. */
  readonly maybeArrived: boolean;
  readonly sinceFirstSentMs: number;
  readonly sinceLastSentMs: number;
}

export interface Pace {
  /** First status query after acceptance. */
  readonly resolveAfterMs: number;
  /**
   * The gateway is trusted to refuse a repeated code for twice this long. Past it nothing is sent again by
   * itself, only asked for.
   */
  readonly resendWithinMs: number;
  /** A number in [0, 1): full jitter. */
  readonly chance: () => number;
}

const CRASHES_MAX = 3;
/** A foreign record under our code may lag behind its 111; asked this often, it should have appeared. */
const UNEXPLAINED_ASKS_MAX = 6;
const UNCLEAR_ASKS_MAX = 3;
const DEFER_BASE_MS = 1_000;
const DEFER_MAX_MS = 300_000;
const DOUBT_BASE_MS = 500;
const ASK_MAX_MS = 600_000;

const move = (
  event: PayoutEvent,
  why: string | null,
  dueInMs = 0,
  gatewayNumber: string | null = null,
): Decision => ({ kind: "move", event, reason: why, dueInMs, gatewayNumber });

/** After an attempt. */
export function decideOutcome(known: Known, outcome: Outcome, pace: Pace): Decision {
  switch (outcome.kind) {
    case "accepted":
      return move("accept", null, pace.resolveAfterMs);

    case "duplicate":
      // 111 proves that the code is known, not that the money moved: the status query confirms amount and currency.
      return known.maybeArrived
        ? move("accept", reason("duplicate_arrived"))
        : move("doubt", reason("duplicate_unexplained"));

    case "declined":
      // An earlier attempt may have been taken before the gateway looked at what it now refuses.
      return known.maybeArrived
        ? move("doubt", reason("refused_after_doubt", outcome.text), DOUBT_BASE_MS)
        : move("decline", reason("refused", outcome.text));

    case "deferred": {
      const said = reason("deferred", outcome.text);
      if (known.maybeArrived) return move("doubt", said, backoff(known.attempts, pace));
      // A stopped lane keeps its rows: they are due as soon as it opens.
      return move("defer", said, outcome.stop ? 0 : backoff(known.attempts, pace));
    }

    case "in_doubt":
      return move("doubt", reason("no_answer", outcome.text), DOUBT_BASE_MS);

    default:
      return unreachable(outcome);
  }
}

/** After a status query. */
export function decideStatus(known: Known, answer: StatusAnswer, pace: Pace): Decision {
  switch (answer.kind) {
    case "found":
      return decideFound(known, answer.record, pace);
    case "not_found":
      return decideNotFound(known, pace);
    case "no_answer":
      return askLater(known, pace);
    default:
      return unreachable(answer);
  }
}

function decideFound(known: Known, record: StatusRecord, pace: Pace): Decision {
  const unexplained = reasonCode(known.reason) === "duplicate_unexplained";
  const ended = known.state === "settled" || known.state === "declined";
  const hold = (why: string) => move("hold", why, 0, record.gatewayNumber);

  // Somebody told us of a payout that we have not sent: it must not be sent before a person has looked.
  if (known.state === "approved") return hold(reason("code_not_ours", "known before it was sent"));
  if (!matches(known.money, record)) {
    const said = `the gateway has ${record.currency} ${record.amount}`;
    return hold(unexplained ? reason("code_not_ours", said) : reason("amount_mismatch", said));
  }
  switch (record.state) {
    case "completed":
      if (known.state === "declined")
        return hold(reason("contradiction", "declined, now completed"));
      if (ended) return askLater(known, pace);
      return move(
        "settle",
        unexplained ? reason("duplicate_matched") : null,
        0,
        record.gatewayNumber,
      );
    case "failed":
      if (known.state === "settled") return hold(reason("contradiction", "settled, now failed"));
      if (ended) return askLater(known, pace);
      // The record of a code that we may never have sent says nothing about our payout.
      if (unexplained) return hold(reason("code_not_ours", "the gateway's record of it failed"));
      return move("decline", reason("failed_at_gateway"), 0, record.gatewayNumber);
    case "pending":
      if (ended) return hold(reason("contradiction", `${known.state}, now pending`));
      if (known.state === "accepted") return askLater(known, pace);
      return move(
        "accept",
        unexplained ? reason("duplicate_matched") : null,
        pace.resolveAfterMs,
        record.gatewayNumber,
      );
    case "manual":
      return hold(reason("manual_process"));
    case "unclear":
      return known.asks + 1 >= UNCLEAR_ASKS_MAX
        ? hold(reason("unclear_status"))
        : askLater(known, pace);
    default:
      return unreachable(record.state);
  }
}

/** An answer without our code. It is no proof that the code will never arrive (F37), so it is never a decline by itself. */
function decideNotFound(known: Known, pace: Pace): Decision {
  const late = known.sinceFirstSentMs > pace.resendWithinMs;
  if (known.state === "accepted") {
    return late ? move("hold", reason("not_found_at_gateway")) : askLater(known, pace);
  }
  if (known.state !== "in_doubt") return askLater(known, pace);

  const why = reasonCode(known.reason);
  if (why === "duplicate_unexplained") {
    return known.asks + 1 >= UNEXPLAINED_ASKS_MAX
      ? move("hold", reason("code_not_ours", "the gateway refuses the code and does not show it"))
      : askLater(known, pace);
  }
  // Not found at once may be lag, or a request still under way: believed the second time, and after a while.
  const believed = known.asks >= 1 && known.sinceLastSentMs >= 2 * pace.resolveAfterMs;
  if (!believed) return askLater(known, pace);
  if (why === "refused_after_doubt") return move("decline", known.reason);
  if (known.crashes >= CRASHES_MAX) return move("hold", reason("poison"));
  if (late) return move("hold", reason("resend_window_over"));
  return { kind: "resend" };
}

/** Full jitter: retries of many payouts do not come back as one wave (F60). */
function backoff(attempts: number, pace: Pace): number {
  const ceiling = Math.min(DEFER_BASE_MS * 2 ** Math.min(attempts, 20), DEFER_MAX_MS);
  return Math.round(ceiling * pace.chance());
}

/** The older the payout, the rarer the question; it never gives up silently. */
function askLater(known: Known, pace: Pace): Decision {
  const first = known.state === "in_doubt" ? DOUBT_BASE_MS : pace.resolveAfterMs;
  const byAge = Math.min(Math.max(first, known.sinceLastSentMs / 4), ASK_MAX_MS);
  return { kind: "wait", dueInMs: Math.round(byAge * (0.75 + 0.5 * pace.chance())) };
}

/** Amounts compare as exact decimals: "100", "100.0" and "100.00" are one amount, a float would not do (F121). */
function matches({ currency, minor, minorDigits }: Money, record: StatusRecord): boolean {
  const amount = /^(\d+)(?:\.(\d+))?$/.exec(record.amount.trim());
  if (!amount || record.currency.toUpperCase() !== currency) return false;
  const [, whole = "", fraction = ""] = amount;
  const kept = fraction.slice(0, minorDigits).padEnd(minorDigits, "0");
  return /^0*$/.test(fraction.slice(minorDigits)) && BigInt(whole + kept) === minor;
}
