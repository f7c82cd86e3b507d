import { reason, reasonCode } from "#payout/reasons.ts";
import { type ResendBlock, resendWait } from "#payout/resend.ts";
import type { Known, Pace } from "#payout/decision.ts";

const CRASHES_MAX = 3;

const isLate = (known: Known, pace: Pick<Pace, "resendWithinMs">): boolean =>
  known.sinceFirstSentMs > pace.resendWithinMs;

/**
 * Returns why a payout in doubt that the gateway does not know is put on hold. Null: its code is
 * sent again.
 */
export function whyNotSentAgain(known: Known, pace: Pick<Pace, "resendWithinMs">): string | null {
  // Refused when it was sent again, while the attempt before may still arrive: it cannot be called
  // declined.
  if (reasonCode(known.reason) === "refused_after_doubt") return known.reason;
  if (known.crashes >= CRASHES_MAX) return reason("poison");
  if (isLate(known, pace)) return reason("resend_window_over");
  if (known.isOvertaken) return reason("overtaken");
  return null;
}

/** Reasons of a doubt in which "not found" never leads to sending the code again. */
const NEVER_SENT_AGAIN: ReadonlySet<string | null> = new Set([
  "duplicate_unexplained",
  "refused_since_restore",
]);

/** A wait before a code is sent again, as shown to people. */
export interface PlannedResend {
  readonly inMs: number;
  readonly why: ResendBlock;
  readonly because: string;
}

/**
 * Returns the wait of a payout whose code is then sent again, if the gateway does not show it.
 * Null: it is not waiting.
 */
export function plannedResend(known: Known, pace: Omit<Pace, "chance">): PlannedResend | null {
  const isSentAgain =
    known.state === "in_doubt" &&
    !known.isFrozen &&
    !NEVER_SENT_AGAIN.has(reasonCode(known.reason));
  if (!isSentAgain) return null;
  const { inMs, why } = resendWait(known, pace);
  const then = { ...known, sinceFirstSentMs: known.sinceFirstSentMs + inMs };
  if (why === null || whyNotSentAgain(then, pace) !== null) return null;
  const request = known.attempts > 1 ? "an earlier request" : "the first request";
  const because = {
    may_be_processed: `${request} may still be in progress`,
    may_show_late: `the gateway may be slow to show ${request}`,
  }[why];
  return { inMs, why, because };
}
