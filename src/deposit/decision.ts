import type { DepositEvent, DepositState } from "#deposit/lifecycle.ts";
import type { DepositAccepted, DepositOutcome } from "#deposit/outcome.ts";
import { type Money, parseDecimal } from "#money/money.ts";
import type { InconclusiveAnswer } from "#payout/decision.ts";

/**
 * The action on a deposit after an answer. Pure: the rules about incoming money are in the two
 * files decide-*.ts and nowhere else (docs/use/deposits.md).
 */
export type DepositDecision =
  | DepositMove
  /** No change of state; query again later. Null: never automatically. */
  | WaitDecision
  /** Send the request again, with the same code. */
  | ({ readonly kind: "resend" } & NextQuery);

interface NextQuery {
  readonly dueInMs: number | null;
  readonly statusAnswer: InconclusiveAnswer | null;
}

export type WaitDecision = { readonly kind: "wait" } & NextQuery;

export interface DepositMove {
  readonly kind: "move";
  readonly event: DepositEvent;
  readonly reason: string | null;
  readonly dueInMs: number | null;
  readonly facts: DepositFacts;
}

/** The content of an answer about a deposit, in addition to its state. */
export interface DepositFacts {
  readonly gatewayNumber?: string | null;
  /** The amount that the payer is to pay, in minor units. */
  readonly payable?: bigint;
  /** The amount that was paid, in minor units. Only a status query is evidence. */
  readonly paid?: bigint;
  readonly accepted?: Pick<DepositAccepted, "destination" | "expiry">;
  readonly banks?: Extract<DepositOutcome, { kind: "awaiting_bank" }>["banks"];
}

/** The facts known about a deposit when an answer about it arrives. */
export interface KnownDeposit {
  readonly state: DepositState;
  readonly reason: string | null;
  /** For KRW: 2 after the payer's account was sent. */
  readonly step: 1 | 2;
  /** The number of steps of deposits in this currency. */
  readonly steps: 1 | 2;
  readonly money: Money;
  readonly payable: Money | null;
  readonly paid: Money | null;
  readonly attempts: number;
  readonly statusAnswer: InconclusiveAnswer | null;
  readonly statusAnswerTimes: number;
  /** A request has ended without a conclusive response. */
  readonly maybeArrived: boolean;
  readonly sinceFirstSentMs: number;
  readonly sinceLastSentMs: number;
  /** Milliseconds until the payment deadline. Negative: since then. */
  readonly untilExpiryMs: number;
}

/** The longest time in milliseconds that a payer waits for payment instructions. */
export const REQUEST_WITHIN_MS = 15 * 60_000;
export const DOUBT_BASE_MS = 500;

/** Returns the decision to change the state of a deposit. Null `dueInMs`: no further query. */
export const move = (
  event: DepositEvent,
  reason: string | null,
  dueInMs: number | null,
  facts: DepositFacts = {},
): DepositMove => ({ kind: "move", event, reason, dueInMs, facts });

/**
 * Parses an exact amount of the deposit's currency into minor units. Null: not an amount, or finer
 * than the currency.
 */
export function parseAmountOf({ minorDigits }: Money, text: string): bigint | null {
  const read = parseDecimal(text.trim(), minorDigits);
  return read && read.minorDigits === minorDigits && read.minor > 0n ? read.minor : null;
}
