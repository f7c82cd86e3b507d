import type { DepositEvent, DepositState } from "#deposit/lifecycle.ts";
import type { DepositAccepted, DepositOutcome } from "#deposit/outcome.ts";
import { type Money, readDecimal } from "#money/money.ts";
import type { Heard } from "#payout/decide.ts";

/**
 * What to do with a deposit after an answer. Pure: the rules about money that comes in stand in the two files
 * decide-*.ts and nowhere else (docs/deposits.md).
 */
export type DepositDecision =
  | DepositMove
  /** No change of state: look again later; null: never by itself. */
  | WaitDecision
  /** Ask for it again, with the same code. */
  | ({ readonly kind: "resend" } & NextLook);

interface NextLook {
  readonly dueInMs: number | null;
  readonly heard: Heard | null;
}

export type WaitDecision = { readonly kind: "wait" } & NextLook;

export interface DepositMove {
  readonly kind: "move";
  readonly event: DepositEvent;
  readonly reason: string | null;
  readonly dueInMs: number | null;
  readonly learnt: Learnt;
}

/** What an answer says of the deposit, beside its state. */
export interface Learnt {
  readonly gatewayNumber?: string | null;
  /** What the payer is to pay, in minor units. */
  readonly payable?: bigint;
  /** What was paid: evidence of a status query alone. */
  readonly paid?: bigint;
  readonly accepted?: Pick<DepositAccepted, "destination" | "expiry">;
  readonly banks?: Extract<DepositOutcome, { kind: "awaiting_bank" }>["banks"];
}

/** What is known of a deposit when an answer about it comes in. */
export interface KnownDeposit {
  readonly state: DepositState;
  readonly reason: string | null;
  /** Of KRW: 2 once the payer's account was handed in. */
  readonly step: 1 | 2;
  /** How many steps deposits of its currency have. */
  readonly steps: 1 | 2;
  readonly money: Money;
  readonly payable: Money | null;
  readonly paid: Money | null;
  readonly attempts: number;
  readonly heard: Heard | null;
  readonly heardTimes: number;
  /** A request has ended without a conclusive answer. */
  readonly maybeArrived: boolean;
  readonly sinceFirstSentMs: number;
  readonly sinceLastSentMs: number;
  /** Until the time to pay is over; below zero: since then. */
  readonly untilExpiryMs: number;
}

/** A payer does not wait longer for being told where to pay. */
export const TRIED_WITHIN_MS = 15 * 60_000;
export const DOUBT_BASE_MS = 500;

export const move = (
  event: DepositEvent,
  reason: string | null,
  dueInMs: number | null,
  learnt: Learnt = {},
): DepositMove => ({ kind: "move", event, reason, dueInMs, learnt });

/** An exact amount of the deposit's currency in minor units; null: it is none, or finer than the currency. */
export function amountIn({ minorDigits }: Money, text: string): bigint | null {
  const read = readDecimal(text.trim(), minorDigits);
  return read && read.minorDigits === minorDigits && read.minor > 0n ? read.minor : null;
}
