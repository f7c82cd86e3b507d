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
