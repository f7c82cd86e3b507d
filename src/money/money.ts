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
