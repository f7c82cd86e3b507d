import { isUnsent, type MoneyMoved, type PayoutState, STATES } from "#payout/payout-lifecycle.ts";
import { reasonCode, reasonText } from "#payout/reasons.ts";
import {
  NOT_RETRIED,
  retriedText,
  retryText,
  type RetryStanding,
} from "#payout/retry-batch-left-out.ts";
import type { PlannedResend } from "#payout/why-not-resent.ts";

/** The answers to the main questions about a payout: whether it was paid, and what happens next. */
export interface PayoutOutlook {
  readonly moved: MoneyMoved;
  /** Answers "has money moved?" with its evidence. */
  readonly answer: string;
  readonly next: string;
  readonly nextAt: Date | null;
  /**
   * The earliest time at which its code is sent again, if the gateway does not show it by then.
   * Null: it is not waiting.
   */
  readonly wait: ResendWaitShown | null;
}

interface ResendWaitShown extends Pick<PlannedResend, "why" | "because"> {
  readonly until: Date;
}

export interface OutlookFacts {
  readonly state: PayoutState;
  readonly reason: string | null;
  /** The gateway has reported a settled payout as failed or reversed, and must confirm it. */
  readonly isReturnReported: boolean;
  readonly dueAt: Date;
  /**
   * The time since which the gateway has given no readable answer about it. Null: the last answer
   * was readable.
   */
  readonly silentSince: Date | null;
  /** The reason why its batch or lane sends nothing at the moment. Null: it would be sent. */
  readonly stoppedBy: string | null;
  readonly resend: PlannedResend | null;
  /** True if its batch was not sent for approval yet. */
  readonly isDraft?: boolean;
  /** True if exact duplicates block the approval of its batch. */
  readonly isBlocked?: boolean;
  /** How its row can be paid again, or the payout that pays it again. Null: not applicable. */
  readonly retry?: RetryStanding | null;
  readonly now: Date;
}

/** A status query that is this late is not only waiting for its turn. */
const LATE_MS = 60_000;

// biome-ignore format: the columns are the point
const ANSWERS: Readonly<Record<PayoutState, string>> = {
  awaiting_approval: "No. The payout has not been sent.",
  approved:          "No. No request is in progress.",
  held_back:         "No. The payout has not been sent, and is not sent until someone releases it.",
  submitting:        "Possibly. A request is in progress, and its response has not been recorded yet.",
  in_doubt:          "Possibly. The outcome of the last request is not known yet.",
  accepted:          "Not yet, according to the gateway. It accepted the payout but has not reported a result.",
  settled:           "Yes. The gateway reports the payout as completed.",
  declined:          "No. The gateway has conclusively reported that it will not pay.",
  on_hold:           "Not known until the payout is resolved.",
  returned:          "No longer. The payout was settled, but was later returned, according to the gateway.",
  cancelled:         "No. The payout was cancelled before the gateway accepted it.",
  resolved:          "The result was recorded manually.",
};

const FINISHED = "Nothing. This is the final state.";

/** Returns the next step of a payout whose batch is not approved. */
function approvalStep({ isDraft, isBlocked }: Pick<OutlookFacts, "isDraft" | "isBlocked">): string {
  if (isDraft) return "The uploader must send the batch of this payout for approval.";
  return isBlocked
    ? "The batch of this payout contains exact duplicates. It can be approved only after an uploader gives a reason for the duplicates."
    : "The payout is waiting for its batch to be approved.";
}

/** States in which the reason is part of the answer. */
const EXPLAINED: ReadonlySet<PayoutState> = new Set([
  "on_hold",
  "in_doubt",
  "declined",
  "returned",
  "resolved",
]);

/**
 * Returns the answer first, then what happens next and when. It never states more than the ledger
 * can prove.
 */
export function payoutOutlook(standing: OutlookFacts): PayoutOutlook {
  const { state, reason, isReturnReported, dueAt, stoppedBy, resend, now } = standing;
  const retry = standing.retry ?? { kind: "retryable" };
  const { moved, answer } = answerOf(standing);
  const then = (next: string, nextAt: Date | null = null): PayoutOutlook => ({
    moved,
    answer,
    next,
    nextAt,
    wait: resend && {
      until: new Date(now.getTime() + resend.inMs),
      why: resend.why,
      because: resend.because,
    },
  });
  switch (state) {
    case "awaiting_approval":
      return then(approvalStep(standing));
    case "approved":
      if (stoppedBy) return then(`The payout is waiting because ${stoppedBy}.`);
      return reasonCode(reason) === "deferred"
        ? then("payrun will send the payout again with the same transaction code.", dueAt)
        : then("payrun will send the payout when its turn comes.");
    case "held_back":
      return then(
        "Someone must release or cancel the payout. Until then, payrun does not send it.",
      );
    case "submitting":
      return then(
        "payrun is waiting for the gateway's response. If none arrives, payrun will query the status.",
        dueAt,
      );
    case "in_doubt":
    case "accepted":
      return now.getTime() - dueAt.getTime() > LATE_MS
        ? then("The next status query is overdue.", dueAt)
        : then("payrun will query the gateway for the status again.", dueAt);
    case "settled":
      if (isReturnReported)
        return then("payrun will query the status again to confirm the return.");
      return then(
        "Nothing. If the gateway later changes its report, the change will be shown here.",
      );
    case "on_hold":
      return then(
        "An operator must clarify the outcome and resolve the payout manually. payrun will not send it or query its status automatically.",
      );
    case "declined":
      return then(retryText(retry, "retry the payout from its batch"));
    case "returned":
      return then(retryText(retry, "include the payout in a retry batch"));
    case "cancelled":
    case "resolved":
      return then(retry.kind === "retried" ? retriedText(retry.by) : FINISHED);
  }
}

/** Formats a time like "2026-11-21 09:20:00 UTC". */
const timeText = (at: Date): string => `${at.toISOString().slice(0, 19).replace("T", " ")} UTC`;

function answerOf({
  state,
  reason,
  isReturnReported,
  silentSince,
}: OutlookFacts): Pick<PayoutOutlook, "moved" | "answer"> {
  // The gateway's last answer may be outdated: it may have finished the payout since.
  if (state === "accepted" && silentSince) {
    const answer = `Possibly. The gateway accepted the payout, but has not returned a readable status since ${timeText(silentSince)}.`;
    return { moved: "maybe", answer };
  }
  if (state === "settled" && isReturnReported) {
    const answer =
      "Possibly no longer. The gateway reported the payout as completed, but now reports it as failed or reversed.";
    return { moved: "maybe", answer };
  }
  const why = reason && EXPLAINED.has(state);
  const answer = why ? `${ANSWERS[state]} ${reasonText(reason)}` : ANSWERS[state];
  return { moved: STATES[state].moved, answer };
}

/** An action that a person may want to take on a payout, and why it is not allowed. */
export interface PayoutAction {
  readonly action: "query" | "resolve" | "hold_back" | "release" | "cancel" | "resend" | "replace";
  readonly may: boolean;
  readonly why: string;
}

const ALWAYS_SAFE =
  "This is always safe. payrun queries the status and records what the response proves.";
const ALWAYS_SAFE_ON_HOLD =
  "This is always safe. payrun records the gateway's response for the person resolving the payout.";

// biome-ignore format: the columns are the point
const NOT_QUERIED: Partial<Record<PayoutState, string>> = {
  submitting: "A request is in progress. payrun must wait for the gateway's response first.",
  cancelled:  "The gateway never accepted the payout, so there is no status to query.",
};

// biome-ignore format: the columns are the point
const NOT_REPLACED: Readonly<Record<PayoutState, string>> = {
  awaiting_approval: "The payout has not been sent.",
  approved:          "The payout has yet to be sent.",
  held_back:         "The payout has yet to be sent.",
  submitting:        "The money may still arrive. Sending the payout again under another transaction code could pay the beneficiary twice.",
  in_doubt:          "The money may have arrived. Sending the payout again under another transaction code could pay the beneficiary twice.",
  accepted:          "The gateway has accepted the payout. Sending it again under another transaction code could pay the beneficiary twice.",
  settled:           "The money has arrived.",
  declined:          "Retry the payout from its batch, or upload the corrected row in a new file. The new payout gets a new transaction code and needs its own approval.",
  on_hold:           "Clarify the outcome with the gateway first. If the payout was not paid, upload the row in a new file.",
  returned:          "Include the payout in a retry batch, or upload the corrected row in a new file. The new payout gets a new transaction code and needs its own approval.",
  cancelled:         "Upload the row in a new file.",
  resolved:          "If the payout was not paid, upload the row in a new file. The new payout gets a new transaction code and needs its own approval.",
};

const RESOLVE_MANUALLY: PayoutAction = {
  action: "resolve",
  may: true,
  why: "This requires written confirmation from the bank or gateway support. If payrun has users, an operator proposes the result and an approver confirms it.",
};

const HOLD_BACK: PayoutAction = {
  action: "hold_back",
  may: true,
  why: "payrun does not send the payout until someone releases it. Other payouts of the batch are sent.",
};
const RELEASE: PayoutAction = {
  action: "release",
  may: true,
  why: "payrun sends the payout when its turn comes.",
};

function whyCancelled(state: PayoutState): string {
  if (state === "awaiting_approval")
    return "Before its approval, a payout can only be cancelled with its batch.";
  return isUnsent(state)
    ? "The payout has not been sent. If it is cancelled, it is never sent."
    : "Only a payout that has not been sent can be cancelled.";
}

/** Returns why the gateway is never queried about a payout, even on request. Null: it is. */
export const whyNotQueried = (state: PayoutState): string | null => NOT_QUERIED[state] ?? null;

/** States whose payouts may be paid again under another transaction code. */
const REPLACEABLE: ReadonlySet<PayoutState> = new Set([
  "declined",
  "returned",
  "cancelled",
  "resolved",
]);

function whyNotReplaced(state: PayoutState, retry: RetryStanding | null): string {
  if (!REPLACEABLE.has(state) || retry === null || retry.kind === "retryable")
    return NOT_REPLACED[state];
  return retry.kind === "retried" ? retriedText(retry.by) : NOT_RETRIED[retry.kind];
}

/** Returns every action that people look for, and why it is or is not allowed here. */
export function payoutActions(
  state: PayoutState,
  retry: RetryStanding | null = null,
): PayoutAction[] {
  const refusal = whyNotQueried(state);
  const asks = state === "on_hold" ? ALWAYS_SAFE_ON_HOLD : ALWAYS_SAFE;
  return [
    { action: "query", may: refusal === null, why: refusal ?? asks },
    ...(state === "on_hold" ? [RESOLVE_MANUALLY] : []),
    ...(state === "approved" ? [HOLD_BACK] : []),
    ...(state === "held_back" ? [RELEASE] : []),
    {
      action: "resend",
      may: false,
      why:
        state === "in_doubt"
          ? "payrun sends the payout again automatically, with the same transaction code, once no earlier request can still be in progress and the gateway does not show the payout."
          : "payrun sends a payout again automatically, but only if the gateway does not know it.",
    },
    {
      action: "cancel",
      may: isUnsent(state) && state !== "awaiting_approval",
      why: whyCancelled(state),
    },
    { action: "replace", may: false, why: whyNotReplaced(state, retry) },
  ];
}
