import type { KnownPayout, Timings } from "#payout/decision.ts";

/**
 * Rules for when the code of a payout in doubt may be sent again. A gateway that checks a code,
 * works, and stores the code last accepts a second request while it still works on the first one:
 * neither "not found" nor error 111 shows it before.
 */

/**
 * A request may arrive while its timestamp is valid, which is one hour (gateway.md). The
 * margin covers clock differences.
 */
export const ARRIVES_WITHIN_MS = 70 * 60_000;

/**
 * Returns how long after its first attempt a payout is resent automatically, if a repeated code is
 * refused for `remembersMs`: half of that time, and never so late that the last request could
 * arrive after it.
 */
export const resendLimitMs = (remembersMs: number): number =>
  Math.max(0, Math.min(remembersMs / 2, remembersMs - ARRIVES_WITHIN_MS));

interface WaitSettings {
  readonly RESOLVE_AFTER_MS: number;
  readonly RESEND_AFTER_MS: number;
  readonly GATEWAY_REMEMBERS_HOURS: number;
}

/** The waits of a configuration. */
export const timingsOf = (settings: WaitSettings): Omit<Timings, "random"> => ({
  resolveAfterMs: settings.RESOLVE_AFTER_MS,
  resendAfterMs: settings.RESEND_AFTER_MS,
  resendWithinMs: resendLimitMs(settings.GATEWAY_REMEMBERS_HOURS * 3_600_000),
});

/** The reason why a code is not sent again yet. */
export type ResendBlock =
  /** An earlier request may still be processed by the gateway. */
  | "may_be_processed"
  /** No earlier request can be in progress. The gateway gets a moment to show its records. */
  | "may_show_late";

export interface ResendWait {
  /**
   * Milliseconds until the code may be sent again at the earliest. 0: after the next answer that
   * does not show it.
   */
  readonly inMs: number;
  /** Null: no wait prevents sending it again. */
  readonly why: ResendBlock | null;
}

/** The values on which the wait depends. */
export type Unresolved = Pick<
  KnownPayout,
  | "attempts"
  | "statusAnswer"
  | "statusAnswerForMs"
  | "sinceLastSentMs"
  | "sinceUnansweredMs"
  | "slowestMs"
>;

/** Safety factor on the longest processing time seen: the next request may take twice as long. */
const MARGIN = 2;
/** Share of the wait that consistent "not found" answers must span. */
const SPREAD = 0.5;
const ANSWERS_MIN = 2;
const ANSWERS_MAX = 4;
/** A longer wait needs more answers: one more for each of these intervals. */
const EXTRA_ANSWER_EVERY_MS = 30_000;
/**
 * Wait without a request in progress, in multiples of the first query's wait after the last
 * attempt. It doubles with each further attempt (F60).
 */
const SHOWN_AFTER = 2;

/** Returns how long after its end a request without an answer may still be processed. */
export const processingMsOf = (
  { slowestMs }: Pick<Unresolved, "slowestMs">,
  { resendAfterMs }: Pick<Timings, "resendAfterMs">,
): number => Math.max(resendAfterMs, MARGIN * slowestMs);

/** Returns how many consistent "not found" answers a wait of this length needs. */
export const answersNeeded = (waitMs: number): number =>
  Math.min(ANSWERS_MIN + Math.floor(waitMs / EXTRA_ANSWER_EVERY_MS), ANSWERS_MAX);

/** Returns the wait before a payout in doubt may be sent again, and its reason. */
export function resendWait(
  payout: Unresolved,
  pace: Pick<Timings, "resolveAfterMs" | "resendAfterMs">,
): ResendWait {
  const { attempts, statusAnswer, statusAnswerForMs, sinceLastSentMs, sinceUnansweredMs } = payout;
  const shownMs =
    SHOWN_AFTER * 2 ** Math.min(attempts - 1, 6) * pace.resolveAfterMs - sinceLastSentMs;
  const processingMs = processingMsOf(payout, pace);
  const processedMs =
    sinceUnansweredMs === null
      ? 0
      : Math.max(
          processingMs - sinceUnansweredMs,
          SPREAD * processingMs - (statusAnswer === "not_found" ? statusAnswerForMs : 0),
        );
  const inMs = Math.max(shownMs, processedMs, 0);
  if (inMs === 0) return { inMs, why: null };
  return { inMs, why: processedMs > 0 ? "may_be_processed" : "may_show_late" };
}

/**
 * Returns whether a frozen ledger may trust that the gateway does not know a code. A process of the
 * lost history may have sent it right before the freeze and still wait for its answer, so the
 * answers must span its deadline and the whole wait.
 *
 * @param payout without the answer that has just arrived, which also counts.
 */
export function isNotFoundConclusive(
  {
    statusAnswer,
    statusAnswerTimes,
    statusAnswerForMs,
    slowestMs,
  }: Pick<KnownPayout, "statusAnswer" | "statusAnswerTimes" | "statusAnswerForMs" | "slowestMs">,
  pace: Pick<Timings, "resendAfterMs">,
  leaseMs: number,
): boolean {
  const processingMs = processingMsOf({ slowestMs }, pace);
  return (
    statusAnswer === "not_found" &&
    statusAnswerTimes + 1 >= answersNeeded(processingMs) &&
    statusAnswerForMs >= processingMs + leaseMs
  );
}
