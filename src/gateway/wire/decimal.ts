/**
 * Java prints a double from 10^7 on as 1.5E7. No real amount has an exponent of more than two
 * digits.
 */
const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,2}))?$/;

/**
 * Converts an amount as the gateway wrote it, number or text, to a plain decimal: without
 * surrounding blanks, and with an exponent expanded digit by digit, never through a float (F121).
 * Null: anything else, including group separators, because "1,538" means different amounts in
 * different countries.
 */
export function plainDecimal(written: string): string | null {
  const text = written.trim();
  const match = DECIMAL.exec(text);
  if (!match) return null;
  const [, sign = "", whole = "", fraction = "", exponent] = match;
  if (exponent === undefined) return text;
  const digits = whole + fraction;
  const point = whole.length + Number(exponent);
  const before = digits
    .slice(0, Math.max(point, 0))
    .padEnd(point, "0")
    .replace(/^0+(?=\d)/, "");
  const after = point < 0 ? digits.padStart(digits.length - point, "0") : digits.slice(point);
  return `${sign}${before || "0"}${after === "" ? "" : `.${after}`}`;
}

/**
 * Returns whether two amounts are equal by value, such as "1542.5" and "1542.50". A text that is
 * not a plain decimal equals only itself.
 */
export const isSameDecimal = (one: string, other: string): boolean =>
  shortest(one) === shortest(other);

const shortest = (amount: string): string =>
  /^\d+(?:\.\d+)?$/.test(amount)
    ? amount.replace(/^0+(?=\d)/, "").replace(/\.0*$|(\.\d*[1-9])0+$/, "$1")
    : amount;
