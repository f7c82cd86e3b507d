import type { Money } from "#money/money.ts";
import type { PayoutEvent, PayoutState } from "#payout/payout-lifecycle.ts";

/**
 * The decision on a payout after an answer. Pure: all rules that protect money are here and nowhere
 * else (docs/understand/exactly-once.md; docs/reference/gateway.md sections 6 and 7).
 */
export type Decision =
  | MoveDecision
  /** No change of state: query the status again later. */
  | ({ readonly kind: "wait" } & NextQuery)
  /** Send the same code again. As long as that is not allowed, query the status again later. */
  | ({ readonly kind: "resend" } & NextQuery);

export interface NextQuery {
  readonly dueInMs: number;
  readonly statusAnswer: InconclusiveAnswer | null;
}

export interface MoveDecision {
  readonly kind: "move";
  readonly event: PayoutEvent;
  readonly reason: string | null;
  readonly dueInMs: number;
  readonly gatewayNumber: string | null;
  /** The attempt ended without a conclusive answer: the gateway may still process its request. */
  readonly mayBeProcessed?: boolean;
}

/**
 * Answers that decide nothing once, but do when repeated. Silence is not among them. `returned`: a
 * settled payout is reported as failed, reversed or refunded.
 */
export type InconclusiveAnswer = "not_found" | "unclear" | "returned";

/** The known facts about a payout when an answer about it arrives. */
export interface KnownPayout {
  readonly state: PayoutState;
  readonly reason: string | null;
  readonly money: Money;
  readonly attempts: number;
  /** Consecutive expired leases: workers that died while they processed it. */
  readonly crashes: number;
  /** The content of the last readable answers, without this one, and how often in a row. */
  readonly statusAnswer: InconclusiveAnswer | null;
  readonly statusAnswerTimes: number;
  /** Since the first of these answers. */
  readonly statusAnswerForMs: number;
  /** Since the last of these answers. */
  readonly statusAnswerAgoMs: number;
  /** The gateway number as it was first seen. */
  readonly gatewayNumber: string | null;
  /** The code was resent after an attempt that may have arrived: perhaps accepted twice. */
  readonly isRepeated: boolean;
  /** Number of attempts of a repeated code that were answered as accepted. */
  readonly acceptedTimes: number;
  /** If resolved manually: its earlier on-hold reasons that the gateway may have paid it twice. */
  readonly paidTwiceBefore: readonly string[];
  /** An attempt has ended without a conclusive answer. */
  readonly maybeArrived: boolean;
  /** The ledger is frozen: it may have lost the record that an approved payout was sent. */
  readonly isFrozen: boolean;
  /** It replaces a declined payout, and that one is no longer conclusively declined. */
  readonly isInvalidRetry: boolean;
  /** Since the first attempt that may count. A justified refusal restarts the clock. */
  readonly sinceFirstSentMs: number;
  readonly sinceLastSentMs: number;
  /**
   * Milliseconds since the end of the last attempt that the gateway may still process. It ended
   * when its request timed out, or when its lease had certainly expired. Null: no attempt can be in
   * progress, or two people have ended the wait.
   */
  readonly sinceUnansweredMs: number | null;
  /** Longest processing time on its lane in the last day. 0: none was long enough to record. */
  readonly slowestMs: number;
}

export interface Timings {
  /** Time until the first status query after acceptance. */
  readonly resolveAfterMs: number;
  /** Time for which an unanswered request may still be processed after its end: RESEND_AFTER_MS. */
  readonly resendAfterMs: number;
  /**
   * Limit for resending. The gateway is trusted to refuse a repeated code for twice this time, and
   * for an hour longer than this. After this time, payrun resends no payouts automatically and only
   * queries their status.
   */
  readonly resendWithinMs: number;
  /** A number in [0, 1): full jitter. */
  readonly random: () => number;
}
