import type { PayAmount } from "./view.ts";

/**
 * Formats "INR 1,250.50" with exactly the digits of the text. It uses the code instead of a sign,
 * because many countries write $. The language groups the digits only if it writes a decimal point:
 * the page also shows the amount to copy, which has one.
 */
export function money({ currency, amount }: PayAmount, language: string): string {
  const digits = amount.split(".")[1]?.length ?? 0;
  const format = new Intl.NumberFormat(numberLocale(language), {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  // A decimal text is formatted exactly; a number would lose digits above 2^53.
  return `${currency} ${format.format(amount as `${number}`)}`;
}

function numberLocale(language: string): string {
  const own = `${language}-u-nu-latn`;
  return new Intl.NumberFormat(own).format(0.5) === "0.5" ? own : "en";
}
