import { formatMoney } from "#money/format.ts";
import { type Money, readDecimal } from "#money/money.ts";

/** The gateway's answer about an account, in its own digits. */
interface Told {
  readonly balance: string;
  readonly frozen: string | null;
  readonly available: string | null;
}

/**
 * Returns how much can be paid out, by the most cautious reading of the answer. Null: it cannot be
 * read. Decimals finer than our unit are rounded down.
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

/** Maximum age of a balance in milliseconds. An older one says nothing about the present. */
export const BALANCE_COUNTS_MS = 15 * 60_000;

/** A lane's account at the gateway, and the approved amounts that will leave it. */
export interface Account {
  readonly lane: string;
  /** The amount that can be paid out, as last reported. Null: never reported. */
  readonly balance: Money | null;
  readonly toldAtMs: number | null;
  /** The reason why the last balance query was not answered. Null: it was. */
  readonly problem: string | null;
  /**
   * The amount that is approved and not known to have left the account before the balance was
   * reported.
   */
  readonly reserved: Money;
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
  { balance, toldAtMs, problem, reserved }: Account,
  nowMs: number,
): Funds {
  if (balance === null || toldAtMs === null) {
    return { kind: "unknown", why: problem ?? "it has not been queried yet" };
  }
  const ageMs = nowMs - toldAtMs;
  if (ageMs > BALANCE_COUNTS_MS || ageMs < -BALANCE_COUNTS_MS) {
    const why = problem === null ? "" : ` (${problem})`;
    return { kind: "unknown", why: `the last response is too old${why}` };
  }
  const free = { ...balance, minor: balance.minor - reserved.minor };
  return needed <= free.minor
    ? { kind: "enough", free }
    : { kind: "short", free, missing: { ...free, minor: needed - free.minor } };
}

/** Describes the funds in a sentence for the approver. */
export function sayFunds(lane: string, funds: Funds): string {
  switch (funds.kind) {
    case "unknown":
      return `The balance of ${lane} is unknown: ${funds.why}.`;
    case "enough":
      return `${lane} has ${formatMoney(funds.free)} available.`;
    case "short":
      return `The balance of ${lane} is too low: ${formatMoney(funds.free)} is available, but ${formatMoney(funds.missing)} more is needed.`;
  }
}
