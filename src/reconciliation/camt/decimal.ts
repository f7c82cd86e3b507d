import { parseDecimal } from "#money/money.ts";

/** An exact decimal in units of its last digit. */
export interface Decimal {
  readonly minor: bigint;
  readonly digits: number;
}

/** The amounts of ISO 20022 have at most 18 digits. */
const CHARS_MAX = 30;

/** Reads a decimal without a sign. Null: the text is not one. */
export function decimalOf(text: string): Decimal | null {
  const read = text.length > CHARS_MAX ? null : parseDecimal(text, 0);
  return read && { minor: read.minor, digits: read.minorDigits };
}

/** Adds decimals. */
export function sumOf(decimals: readonly Decimal[]): Decimal {
  const digits = Math.max(0, ...decimals.map((each) => each.digits));
  const minor = decimals.reduce(
    (sum, each) => sum + each.minor * 10n ** BigInt(digits - each.digits),
    0n,
  );
  return { minor, digits };
}

/** Returns a decimal with the other sign. */
export const negative = ({ minor, digits }: Decimal): Decimal => ({ minor: -minor, digits });

/** Subtracts one decimal from another. */
export const minus = (left: Decimal, right: Decimal): Decimal => sumOf([left, negative(right)]);

/** Returns whether two decimals are equal, whatever their number of digits. */
export const isSame = (left: Decimal, right: Decimal): boolean => minus(left, right).minor === 0n;

/** Returns a decimal as text, with a minus sign if it is negative. */
export function decimalText({ minor, digits }: Decimal): string {
  const plain = (minor < 0n ? -minor : minor).toString().padStart(digits + 1, "0");
  const whole = plain.slice(0, plain.length - digits);
  const fraction = plain.slice(plain.length - digits);
  return `${minor < 0n ? "-" : ""}${whole}${digits === 0 ? "" : `.${fraction}`}`;
}
