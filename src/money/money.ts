/** An exact amount: a count of the currency's smallest unit. Never a float, never rounded. */
export interface Money {
  /** ISO 4217 code, or the code of a configured cryptocurrency. */
  readonly currency: string;
  readonly minor: bigint;
  /**
   * Number of decimal digits in `minor`. It is stored with the amount, so a later change of the
   * table cannot alter it.
   */
  readonly minorDigits: number;
}

/**
 * Adds two amounts of one currency. Throws if currency or scale differ, which is a bug in the
 * caller.
 */
export function add(a: Money, b: Money): Money {
  if (a.currency !== b.currency || a.minorDigits !== b.minorDigits) {
    throw new Error(`cannot add ${b.currency}/${b.minorDigits} to ${a.currency}/${a.minorDigits}`);
  }
  return { currency: a.currency, minor: a.minor + b.minor, minorDigits: a.minorDigits };
}

/** Compares two amounts as numbers, whatever their currencies: negative if the first is less. */
export function compareAmounts(a: Money, b: Money): number {
  const [one, other] = [
    a.minor * 10n ** BigInt(b.minorDigits),
    b.minor * 10n ** BigInt(a.minorDigits),
  ];
  return one < other ? -1 : one > other ? 1 : 0;
}

/**
 * Returns the exact totals of any number of amounts, one per currency, in the order in which the
 * currencies first appear.
 */
export function sumByCurrency(amounts: Iterable<Money>): ReadonlyMap<string, Money> {
  const totals = new Map<string, Money>();
  for (const amount of amounts) {
    const total = totals.get(amount.currency);
    totals.set(amount.currency, total ? add(total, amount) : amount);
  }
  return totals;
}

/**
 * Returns the exact total of amounts of one currency, in the largest number of decimals among them.
 * Null: there are none.
 */
export function exactTotal(amounts: readonly Money[]): Money | null {
  const [first] = amounts;
  if (!first) return null;
  const minorDigits = Math.max(...amounts.map((amount) => amount.minorDigits));
  return amounts
    .map((amount) => ({
      ...amount,
      minor: amount.minor * 10n ** BigInt(minorDigits - amount.minorDigits),
      minorDigits,
    }))
    .reduce(add);
}

/**
 * Parses an exact decimal of another system, such as "150.5", "0150.500" or "150", into units of
 * `minorDigits` decimals, or more if it needs more, so it cannot equal an amount with fewer. Null:
 * it is not a decimal.
 */
export function parseDecimal(text: string, minorDigits: number): Omit<Money, "currency"> | null {
  const match = /^([0-9]+)(?:\.([0-9]+))?$/.exec(text);
  if (!match) return null;
  const [, whole = "", fraction = ""] = match;
  const digits = /[1-9]/.test(fraction.slice(minorDigits)) ? fraction.length : minorDigits;
  const kept = fraction.slice(0, digits).padEnd(digits, "0");
  return { minor: BigInt(whole + kept), minorDigits: digits };
}
