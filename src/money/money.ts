/** An exact amount: a count of the currency's smallest unit. Never a float, never rounded. */
export interface Money {
  /** ISO 4217 code, or the code of a configured crypto currency. */
  readonly currency: string;
  readonly minor: bigint;
  /** How many digits of `minor` follow the point: kept with the amount, so that a table edited later cannot move it. */
  readonly minorDigits: number;
}

/** Adds two amounts of one currency. Two currencies or two scales are a bug of the caller, so it throws. */
export function add(a: Money, b: Money): Money {
  if (a.currency !== b.currency || a.minorDigits !== b.minorDigits) {
    throw new Error(`cannot add ${b.currency}/${b.minorDigits} to ${a.currency}/${a.minorDigits}`);
  }
  return { currency: a.currency, minor: a.minor + b.minor, minorDigits: a.minorDigits };
}

/** Exact totals of any number of amounts, one per currency, in the order in which the currencies first appear. */
export function sumByCurrency(amounts: Iterable<Money>): ReadonlyMap<string, Money> {
  const totals = new Map<string, Money>();
  for (const amount of amounts) {
    const total = totals.get(amount.currency);
    totals.set(amount.currency, total ? add(total, amount) : amount);
  }
  return totals;
}

/**
 * An exact decimal of somebody else's, such as "150.5", "0150.500" or "150": counted in units of `minorDigits`
 * decimals, or of more where it needs more, so that it can equal no amount that has fewer. Null: it is no decimal.
 */
export function readDecimal(text: string, minorDigits: number): Omit<Money, "currency"> | null {
  const match = /^([0-9]+)(?:\.([0-9]+))?$/.exec(text);
  if (!match) return null;
  const [, whole = "", fraction = ""] = match;
  const digits = /[1-9]/.test(fraction.slice(minorDigits)) ? fraction.length : minorDigits;
  const kept = fraction.slice(0, digits).padEnd(digits, "0");
  return { minor: BigInt(whole + kept), minorDigits: digits };
}
