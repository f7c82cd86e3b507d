/** Java prints a double from 10^7 on as 1.5E7; an exponent of more than two digits is no amount of anybody's. */
const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,2}))?$/;

/**
 * An amount as the gateway wrote it, number or text, as a plain decimal: without the blanks around it, and with an
 * exponent written out, digit by digit and never through a float (F121). Null for everything else, group separators
 * included: "1,538" is two amounts in two places of the world.
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

/** Whether two amounts are one by value: "1542.5" and "1542.50" are. What is no plain decimal equals itself alone. */
export const isSameDecimal = (one: string, other: string): boolean =>
  shortest(one) === shortest(other);

const shortest = (amount: string): string =>
  /^\d+(?:\.\d+)?$/.test(amount)
    ? amount.replace(/^0+(?=\d)/, "").replace(/\.0*$|(\.\d*[1-9])0+$/, "$1")
    : amount;
