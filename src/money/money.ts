/** An exact amount: a count of the currency's smallest unit. Never a float, never rounded. */
export interface Money {
  /** ISO 4217 code, or the code of a configured crypto currency. */
  readonly currency: string;
  readonly minor: bigint;
  /** How many digits of `minor` follow the point: kept with the amount, so that a table edited later cannot move it. */
  readonly minorDigits: number;
}
