import { type Decimal, isSame, minus, negative, sumOf } from "#reconciliation/camt/decimal.ts";

/** A charge of a transaction. */
export interface Charge {
  readonly amount: Decimal;
  /** Whether the amount of the entry contains it. Null: the file does not say. */
  readonly isIncluded: boolean | null;
}

/** The amounts of one transaction of an entry. */
export interface TransactionAmounts {
  /** Null: the entry does not state it. */
  readonly amount: Decimal | null;
  readonly isDebit: boolean;
  readonly charges: readonly Charge[];
}

/** The amount that one transaction moved, and the fee on top. */
export interface Movement {
  readonly amount: Decimal;
  readonly isDebit: boolean;
  /** Null: no fee is part of the entry. */
  readonly fee: Decimal | null;
}

const signed = ({ minor, digits }: Decimal, isDebit: boolean): Decimal =>
  isDebit ? negative({ minor, digits }) : { minor, digits };

const totalOf = (charges: readonly Charge[]): Decimal =>
  sumOf(charges.map((charge) => charge.amount));

/**
 * Divides the amount of an entry among its transactions, so that all movements together are exactly
 * what the balance moved. Charges in the entry are the fees of payouts. Charges outside it are
 * booked by entries of their own. Null: the transactions do not add up to the entry.
 *
 * The amounts of transactions are either parts of the entry's amount, which contain included
 * charges, or amounts to which the charges were added.
 */
export function movementsOf(
  entry: { readonly amount: Decimal; readonly isDebit: boolean },
  transactions: readonly TransactionAmounts[],
): readonly Movement[] | null {
  const booked = signed(entry.amount, entry.isDebit);
  const [only] = transactions;
  const parts =
    transactions.length === 1 && only?.amount === null
      ? [{ ...only, amount: entry.amount, isDebit: entry.isDebit }]
      : transactions;
  const stated = parts.flatMap(({ amount, ...rest }) => (amount ? [{ amount, ...rest }] : []));
  if (stated.length < parts.length) return null;
  const total = sumOf(stated.map(({ amount, isDebit }) => signed(amount, isDebit)));
  if (isSame(total, booked)) {
    return whole(stated.map((each) => partOf(each)));
  }
  const added = sumOf(stated.map(({ charges }) => totalOf(charges.filter(mayBeIncluded))));
  if (!isSame(minus(total, added), booked)) return null;
  return whole(stated.map((each) => withCharges(each)));
}

const mayBeIncluded = ({ isIncluded }: Charge): boolean => isIncluded !== false;

type Stated = TransactionAmounts & { readonly amount: Decimal };

/** Separates the included charges from a part of the entry's amount. */
function partOf({ amount, isDebit, charges }: Stated): Movement {
  const included = charges.filter(({ isIncluded }) => isIncluded === true);
  if (!isDebit || included.length === 0) return { amount, isDebit, fee: null };
  const fee = totalOf(included);
  return { amount: minus(amount, fee), isDebit, fee };
}

/** The charges were added to the amount of a debit, or subtracted from that of a credit. */
function withCharges({ amount, isDebit, charges }: Stated): Movement {
  const fee = totalOf(charges.filter(mayBeIncluded));
  return isDebit
    ? { amount, isDebit, fee: charges.some(mayBeIncluded) ? fee : null }
    : { amount: minus(amount, fee), isDebit, fee: null };
}

/** Null: the charges are larger than an amount, or more was refunded than charged. */
const whole = (movements: readonly Movement[]): readonly Movement[] | null =>
  movements.some(({ amount, fee }) => amount.minor < 0n || (fee !== null && fee.minor < 0n))
    ? null
    : movements;
