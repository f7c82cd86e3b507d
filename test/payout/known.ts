import type { Outcome, StatusAnswer, StatusRecord } from "#payout/outcome.ts";
import { reasonCode } from "#payout/reasons.ts";
import type { Decision, KnownPayout, Timings } from "#payout/decision.ts";

export const HOUR_MS = 3_600_000;
export const PACE: Timings = {
  resolveAfterMs: 5_000,
  resendAfterMs: 900_000,
  resendWithinMs: 12 * HOUR_MS,
  random: () => 0.5,
};
export const KNOWN: KnownPayout = {
  state: "submitting",
  reason: null,
  money: { currency: "INR", minor: 15_050n, minorDigits: 2 },
  attempts: 1,
  crashes: 0,
  statusAnswer: null,
  statusAnswerTimes: 0,
  statusAnswerForMs: 0,
  statusAnswerAgoMs: 0,
  gatewayNumber: null,
  isRepeated: false,
  acceptedTimes: 0,
  paidTwiceBefore: [],
  maybeArrived: false,
  isFrozen: false,
  isInvalidRetry: false,
  sinceFirstSentMs: 60_000,
  sinceLastSentMs: 60_000,
  sinceUnansweredMs: null,
  slowestMs: 0,
};
const RECORD: StatusRecord = {
  transactionCode: "PR1",
  state: "pending",
  amount: "150.50",
  currency: "INR",
  gatewayNumber: "WD7",
  fee: null,
};
export const found = (record: Partial<StatusRecord>): StatusAnswer => ({
  kind: "found",
  record: { ...RECORD, ...record },
});
export const NOT_FOUND: StatusAnswer = { kind: "not_found", text: "" };
export const NO_ANSWER: StatusAnswer = { kind: "no_answer", code: "http_500", text: "" };

/** A decision in short: the event and its reason, or the other action. */
export const short = (decision: Decision): string =>
  decision.kind === "move"
    ? [decision.event, reasonCode(decision.reason)].filter(Boolean).join(" ")
    : decision.kind;

const stop = { until: "person", reason: "wrong key" } as const;
export const OUTCOMES: Readonly<Record<string, Outcome>> = {
  accepted: { kind: "accepted" },
  duplicate: { kind: "duplicate" },
  declined: { kind: "declined", code: "121", text: "bank not found" },
  deferred: { kind: "deferred", code: "113", text: "no rate", stop: null },
  stopped: { kind: "deferred", code: "115", text: "wrong key", stop },
  in_doubt: { kind: "in_doubt", code: "no_answer", text: "no answer" },
};

/** States in which the gateway is queried. */
export const ASKED = [
  "awaiting_approval",
  "approved",
  "in_doubt",
  "accepted",
  "settled",
  "declined",
  "returned",
] as const;
