import { formatMoney } from "#money/format.ts";
import { type Money, readDecimal } from "#money/money.ts";

/** What the gateway tells of an account, in its own digits. */
interface Told {
  readonly balance: string;
  readonly frozen: string | null;
  readonly available: string | null;
}

/**
 * What of it can be paid out: the least that the answer allows to think. Null: it cannot be read. A decimal of the
 * gateway that is finer than our unit is rounded down.
 */
export function spendable(
  { balance, frozen, available }: Told,
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
  const read = readDecimal(isBelow ? text.slice(1) : text, minorDigits);
  if (!read) return null;
  const unit = 10n ** BigInt(read.minorDigits - minorDigits);
  return isBelow ? -((read.minor + unit - 1n) / unit) : read.minor / unit;
}

/** An answer that is older says nothing of now. */
export const BALANCE_COUNTS_MS = 15 * 60_000;

/** A lane's account at the gateway, and what is approved to go out of it. */
export interface Account {
  readonly lane: string;
  /** What can be paid out, as last told; null: never told. */
  readonly balance: Money | null;
  readonly toldAtMs: number | null;
  /** Why the last question has no answer. */
  readonly problem: string | null;
  /** Approved, and not known to have left the account before it was told. */
  readonly reserved: Money;
}

export type Funds =
  | { readonly kind: "unknown"; readonly why: string }
  | { readonly kind: "enough"; readonly free: Money }
  | { readonly kind: "short"; readonly free: Money; readonly missing: Money };

/** Whether what is free in the account covers this much more. An unknown balance is neither zero nor enough. */
export function fundsFor(
  needed: bigint,
  { balance, toldAtMs, problem, reserved }: Account,
  nowMs: number,
): Funds {
  if (balance === null || toldAtMs === null) {
    return { kind: "unknown", why: problem ?? "it was not asked for yet" };
  }
  const ageMs = nowMs - toldAtMs;
  if (ageMs > BALANCE_COUNTS_MS || ageMs < -BALANCE_COUNTS_MS) {
    const why = problem === null ? "" : ` (${problem})`;
    return { kind: "unknown", why: `the last answer is too old${why}` };
  }
  const free = { ...balance, minor: balance.minor - reserved.minor };
  return needed <= free.minor
    ? { kind: "enough", free }
    : { kind: "short", free, missing: { ...free, minor: needed - free.minor } };
}

/** In words for whoever approves. */
export function sayFunds(lane: string, funds: Funds): string {
  switch (funds.kind) {
    case "unknown":
      return `The balance of ${lane} is not known: ${funds.why}.`;
    case "enough":
      return `${lane} covers it: ${formatMoney(funds.free)} is free.`;
    case "short":
      return `${lane} does not cover it: ${formatMoney(funds.free)} is free, ${formatMoney(funds.missing)} is missing.`;
  }
}
