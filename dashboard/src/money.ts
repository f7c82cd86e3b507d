/** Amounts are exact decimal text. They are never turned into a floating-point number, here neither. */
export interface Money {
  readonly currency: string;
  readonly amount: string;
}

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/;

const decimalsOf = (amount: string): number => DECIMAL.exec(amount)?.[3]?.length ?? 0;

/** "1234567.00" as the reader's language writes it, with exactly the digits that it has. */
export function formatAmount(amount: string, locale?: string): string {
  if (!DECIMAL.test(amount)) return amount;
  const digits = decimalsOf(amount);
  const format = new Intl.NumberFormat(locale, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  // A decimal string is formatted exactly; a number would lose digits above 2^53.
  return format.format(amount as `${number}`);
}

/** The code stands before the amount and never a sign alone: half of the world writes $. */
export const formatMoney = ({ currency, amount }: Money, locale?: string): string =>
  `${currency} ${formatAmount(amount, locale)}`;

/** The exact sum of decimal texts, with as many decimals as the longest of them. */
export function addAmounts(amounts: readonly string[]): string {
  const digits = Math.max(0, ...amounts.map(decimalsOf));
  const sum = amounts.reduce((total, amount) => total + scaled(amount, digits), 0n);
  const text = (sum < 0n ? -sum : sum).toString().padStart(digits + 1, "0");
  const whole = text.slice(0, text.length - digits);
  const sign = sum < 0n ? "-" : "";
  return digits === 0 ? sign + whole : `${sign}${whole}.${text.slice(text.length - digits)}`;
}

export const sameAmount = (one: string, other: string): boolean => {
  const digits = Math.max(decimalsOf(one), decimalsOf(other));
  return scaled(one, digits) === scaled(other, digits);
};

function scaled(amount: string, digits: number): bigint {
  const match = DECIMAL.exec(amount);
  if (!match) throw new Error(`not an amount: ${amount}`);
  const [, sign = "", whole = "", fraction = ""] = match;
  return BigInt(`${sign}${whole}${fraction.padEnd(digits, "0")}`);
}

/** What somebody typed: exact decimal text, or how it is to be written instead. */
export type TypedAmount =
  | { readonly amount: string; readonly refusal: null }
  | { readonly amount: null; readonly refusal: string };

/** One mark between all groups of three; a comma also as India groups: 12,34,567. */
const TYPED =
  /^(?:\d+|[1-9]\d{0,2}([, \u00a0\u202f'’])\d{3}(?:\1\d{3})*|[1-9]\d?(?:,\d{2})+,\d{3})(?:\.\d+)?$/;

/**
 * Reads an amount as people write it. A mark counts only where it groups: "37,50" is not 3750, and a slip of that kind
 * is what a typed total is there to find.
 */
export function readAmount(typed: string, currency: string): TypedAmount {
  const text = withoutCode(typed.trim(), currency);
  if (!TYPED.test(text)) return { amount: null, refusal: howToWrite(text, currency) };
  return { amount: text.replace(/[^\d.]/g, ""), refusal: null };
}

/** "INR 37.50" and "37.50 INR", as they are pasted. */
function withoutCode(text: string, currency: string): string {
  const big = text.toUpperCase();
  if (currency === "") return text;
  if (big.startsWith(currency)) return text.slice(currency.length).trim();
  if (big.endsWith(currency)) return text.slice(0, -currency.length).trim();
  return text;
}

const OTHER_DIGIT = /(?!\d)\p{Nd}/u;
const OTHER_SIGN = /[\p{L}\p{Sc}]/u;
const DECIMAL_COMMA = /^(\d[\d.\s'’]*),(\d{1,2})$/;

function howToWrite(text: string, currency: string): string {
  if (OTHER_DIGIT.test(text)) return "Write it with the digits 0 to 9, such as 37.50.";
  if (OTHER_SIGN.test(text))
    return `Write the amount${currency && ` in ${currency}`} alone, such as 37.50.`;
  const [, whole, decimals] = DECIMAL_COMMA.exec(text) ?? [];
  return whole === undefined
    ? "Write it with a point before the decimals, such as 1234.50."
    : `Write it as ${whole.replace(/\D/g, "")}.${decimals}: a point stands before the decimals.`;
}
