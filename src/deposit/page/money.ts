import type { PayAmount } from "./view.ts";

/**
 * Formats "INR 1,250.50" with exactly the digits of the text. It uses the code instead of a sign,
 * because many countries write $.
 */
export function money({ currency, amount }: PayAmount, language: string): string {
  const digits = amount.split(".")[1]?.length ?? 0;
  const format = new Intl.NumberFormat(language, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  // A decimal text is formatted exactly; a number would lose digits above 2^53.
  return `${currency} ${format.format(amount as `${number}`)}`;
}
