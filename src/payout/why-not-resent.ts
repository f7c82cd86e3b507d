import { storedReason, reasonCode } from "#payout/reasons.ts";
import { type ResendBlock, resendWait } from "#payout/resend.ts";
import type { KnownPayout, Timings } from "#payout/decision.ts";

const CRASHES_MAX = 3;

const isLate = (known: KnownPayout, pace: Pick<Timings, "resendWithinMs">): boolean =>
  known.sinceFirstSentMs > pace.resendWithinMs;

/**
 * Returns why a payout in doubt that the gateway does not know is put on hold. Null: its code is
 * sent again.
 */
export function whyNotResent(
  known: KnownPayout,
  pace: Pick<Timings, "resendWithinMs">,
): string | null {
  // The gateway refused a resend, but the earlier attempt may still arrive: the payout cannot be
  // called declined.
  if (reasonCode(known.reason) === "refused_after_doubt") return known.reason;
  if (known.crashes >= CRASHES_MAX) return storedReason("poison");
  if (isLate(known, pace)) return storedReason("resend_window_over");
  if (known.isInvalidRetry) return storedReason("overtaken");
  return null;
}

/** Reasons for doubt after which "not found" never leads to resending the code. */
const NEVER_RESENT: ReadonlySet<string | null> = new Set([
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
export function findPlannedResend(
  known: KnownPayout,
  pace: Omit<Timings, "random">,
): PlannedResend | null {
  const isSentAgain =
    known.state === "in_doubt" && !known.isFrozen && !NEVER_RESENT.has(reasonCode(known.reason));
  if (!isSentAgain) return null;
  const { inMs, why } = resendWait(known, pace);
  const then = { ...known, sinceFirstSentMs: known.sinceFirstSentMs + inMs };
  if (why === null || whyNotResent(then, pace) !== null) return null;
  const request = known.attempts > 1 ? "an earlier request" : "the first request";
  const because = {
    may_be_processed: `${request} may still be in progress`,
    may_show_late: `the gateway may be slow to show ${request}`,
  }[why];
  return { inMs, why, because };
}
