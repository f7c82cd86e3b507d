import { readAmount } from "../../../base/money.ts";

/** The optional numbers about a statement, as typed. */
export interface StatementAmounts {
  readonly opening: string;
  readonly closing: string;
  readonly deposits: string;
  readonly lines: string;
  readonly total: string;
}

const NEGATIVE = /^[-−]\s*/;

/** Reads "−1,000.50" as "-1000.50". A number that payrun cannot read stays as it is. */
function exact(typed: string, currency: string): string {
  const text = typed.trim();
  const sign = NEGATIVE.test(text) ? "-" : "";
  const { amount } = readAmount(text.replace(NEGATIVE, ""), currency);
  return amount === null ? text : `${sign}${amount}`;
}

/** Returns why a number cannot be read; null if it is empty or can be read. */
export const refusalOf = (typed: string, currency: string): string | null =>
  typed.trim() === "" ? null : readAmount(typed.trim().replace(NEGATIVE, ""), currency).refusal;

/** Returns the numbers that were typed, as the API takes them. With balances, no deposits are 0. */
export function statementAmounts(
  typed: StatementAmounts,
  currency: string,
): Partial<StatementAmounts> {
  const hasBalances = typed.opening.trim() !== "" || typed.closing.trim() !== "";
  const given = { ...typed, ...(hasBalances && typed.deposits.trim() === "" && { deposits: "0" }) };
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, text]) =>
      text.trim() === "" ? [] : [[name, exact(text, currency)] as const],
    ),
  );
}
