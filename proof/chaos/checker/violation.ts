/** A violation, and its subject. */
export interface Violation {
  readonly check: string;
  /** The transaction code, audit line or file concerned. */
  readonly about: string;
  readonly text: string;
}

const DIGITS = 8;

/** Decimal text as a whole number of hundred-millionths; null for text that is not an amount. */
export function exact(amount: string | undefined): bigint | null {
  const match = /^(\d+)(?:\.(\d{1,8}))?$/.exec(amount ?? "");
  if (!match) return null;
  const [, whole = "", fraction = ""] = match;
  return BigInt(whole + fraction.padEnd(DIGITS, "0"));
}

/** Formats hundred-millionths as decimal text, without trailing zeros. */
export function decimal(value: bigint): string {
  const text = value.toString().padStart(DIGITS + 1, "0");
  const fraction = text.slice(-DIGITS).replace(/0+$/, "");
  return text.slice(0, -DIGITS) + (fraction === "" ? "" : `.${fraction}`);
}
