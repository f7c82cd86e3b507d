import { groupedAmount } from "#money/format.ts";
import { type Money, parseDecimal } from "#money/money.ts";

/** The gateway's answer about an account, in its own digits. */
interface ReportedBalance {
  readonly balance: string;
  readonly frozen: string | null;
  readonly available: string | null;
}

/**
 * Returns how much can be paid out, by the most cautious reading of the answer. Null: it cannot be
 * read. Decimals finer than our unit are rounded down.
 */
export function spendableBalance(
  { balance, frozen, available }: ReportedBalance,
  minorDigits: number,
): bigint | null {
  const whole = roundedDown(balance, minorDigits);
  const tied = frozen === null ? 0n : roundedDown(negated(frozen), minorDigits);
  const open = available === null ? whole : roundedDown(available, minorDigits);
  if (whole === null || tied === null || open === null) return null;
  const rest = tied < 0n ? whole + tied : whole;
  return open < rest ? open : rest;
}

const negated = (text: string): string => (text.startsWith("-") ? text.slice(1) : `-${text}`);

function roundedDown(text: string, minorDigits: number): bigint | null {
  const isBelow = text.startsWith("-");
  const read = parseDecimal(isBelow ? text.slice(1) : text, minorDigits);
  if (!read) return null;
  const unit = 10n ** BigInt(read.minorDigits - minorDigits);
  return isBelow ? -((read.minor + unit - 1n) / unit) : read.minor / unit;
}

/** Maximum age of a balance in milliseconds. An older one says nothing about the present. */
export const BALANCE_AGE_MAX_MS = 15 * 60_000;

/** A lane's account at the gateway, and the approved amounts that will leave it. */
export interface LaneAccount {
  readonly lane: string;
  /** The amount that can be paid out, as last reported. Null: never reported. */
  readonly balance: Money | null;
  readonly reportedAtMs: number | null;
  /** The reason why the last balance query was not answered. Null: it was. */
  readonly problem: string | null;
  /** The amount of approved payouts that are neither settled nor declined. */
  readonly reserved: Money;
  /** The amount of payouts that settled since the minute before the report. Null: it is too old. */
  readonly settledSince: Money | null;
}

export type Funds =
  | { readonly kind: "unknown"; readonly why: string }
  | { readonly kind: "enough"; readonly free: Money }
  | { readonly kind: "short"; readonly free: Money; readonly missing: Money };

/**
 * Decides whether the free balance covers this additional amount. An unknown balance counts neither
 * as zero nor as sufficient.
 */
export function fundsFor(
  needed: bigint,
  { balance, reportedAtMs, problem, reserved, settledSince }: LaneAccount,
  nowMs: number,
): Funds {
  if (balance === null || reportedAtMs === null) {
    return { kind: "unknown", why: problem ?? "it has not been queried yet" };
  }
  const ageMs = nowMs - reportedAtMs;
  if (ageMs > BALANCE_AGE_MAX_MS || ageMs < -BALANCE_AGE_MAX_MS || settledSince === null) {
    const why = problem === null ? "" : ` (${problem})`;
    return { kind: "unknown", why: `the last response is too old${why}` };
  }
  const free = { ...balance, minor: balance.minor - reserved.minor - settledSince.minor };
  return needed <= free.minor
    ? { kind: "enough", free }
    : { kind: "short", free, missing: { ...free, minor: needed - free.minor } };
}

/** Describes the funds in a sentence for the approver. */
export function describeFunds(lane: string, funds: Funds): string {
  switch (funds.kind) {
    case "unknown":
      return `The balance of ${lane} is unknown: ${funds.why}.`;
    case "enough":
      return `${lane} has ${groupedAmount(funds.free)} available.`;
    case "short":
      return `The balance of ${lane} is too low: ${groupedAmount(funds.free)} is available, but ${groupedAmount(funds.missing)} more is needed.`;
  }
}
