import type { PayAmount } from "./view.ts";

/** "INR 1,250.50", with exactly the digits that the text has, and the code rather than a sign: many countries write $. */
export function money({ currency, amount }: PayAmount, language: string): string {
  const digits = amount.split(".")[1]?.length ?? 0;
  const format = new Intl.NumberFormat(language, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  // A decimal text is formatted exactly; a number would lose digits above 2^53.
  return `${currency} ${format.format(amount as `${number}`)}`;
}
