/** A row as a person wrote it into the file: the amount to pay and the beneficiary. */
export interface ApprovedRow {
  readonly currency: string;
  /** As in the file: with the currency's decimals. */
  readonly amount: string;
  readonly account: string;
  readonly name: string;
}

/** The first characters of every account number of a run. They appear nowhere else. */
export const CANARY = "50107714";

/** Exact for any number of digits. */
export function hundredths(decimal: string): bigint {
  const [whole = "", fraction = ""] = decimal.split(".");
  return BigInt(whole + fraction.padEnd(2, "0"));
}

/** Returns whether two decimal texts are the same amount. */
export const isSameAmount = (one: string, other: string): boolean =>
  /^\d+(\.\d{1,2})?$/.test(one) && (one === other || hundredths(one) === hundredths(other));
