import type { KnownDeposit } from "#deposit/decision.ts";
import type { StatusAnswer, StatusRecord } from "#payout/outcome.ts";

export const MONEY = { currency: "INR", minor: 50_000n, minorDigits: 2 };

/** A payable deposit, requested a minute ago, with ten minutes left. */
export const KNOWN: KnownDeposit = {
  state: "awaiting_payment",
  reason: null,
  step: 1,
  steps: 1,
  money: MONEY,
  payable: MONEY,
  paid: null,
  attempts: 1,
  statusAnswer: null,
  statusAnswerTimes: 0,
  maybeArrived: false,
  sinceFirstSentMs: 60_000,
  sinceLastSentMs: 60_000,
  untilExpiryMs: 600_000,
};

/** The gateway's record of the deposit. */
export const found = (
  state: StatusRecord["state"],
  change: Partial<StatusRecord> = {},
): StatusAnswer => ({
  kind: "found",
  record: {
    transactionCode: "PD1",
    state,
    amount: "500.00",
    currency: "INR",
    gatewayNumber: "DP1",
    fee: null,
    ...change,
  },
});
export const NOT_FOUND: StatusAnswer = { kind: "not_found", text: "no record" };
export const SILENT: StatusAnswer = { kind: "no_answer", code: "timeout", text: "no answer" };
