import { formatMoney } from "#money/format.ts";
import type { ExactAmount, LedgerRecord, StatementRecord } from "#reconciliation/records.ts";

/** Every class of break, with its meaning for people. A class claims only what both sides prove. */
export const BREAK_CLASSES = {
  missing_at_gateway:
    "The ledger shows the payout as settled, resolved as paid or returned on this day, but no loaded statement of the lane lists that.",
  missing_in_ledger: "The statement contains a transaction that is not a payout of this lane.",
  listed_twice: "The statements of the lane list the transaction code more than once.",
  amount: "The statement shows a different amount.",
  currency: "The statement shows a different currency.",
  gateway_number: "The statement shows a different gateway number.",
  fee: "The statement shows a different fee.",
  status: "The statement shows a different result.",
  late_return: "The statement shows that a settled payout came back.",
  unexplained_movement:
    "The balance changed by an amount that the lines of the day do not explain.",
} as const satisfies Record<string, string>;

export type BreakClass = keyof typeof BREAK_CLASSES;

/** A difference between the ledger and the statement. */
export interface FoundBreak {
  readonly class: BreakClass;
  readonly code: string;
  /** The payout in the ledger. Null: the lane does not have it. */
  readonly payoutId: number | null;
  /** The first lines of the statement with the code. Empty: it does not contain the code. */
  readonly lines: readonly number[];
  readonly ledger: string | null;
  readonly statement: string | null;
  /** Amounts, currencies and gateway numbers of both sides. A decision is bound to them. */
  readonly basis: string;
  /** The first line. Null: the statement does not contain the code. */
  readonly first: StatementRecord | null;
}

/** Returns an amount with its currency, for people. */
export const amountText = ({ minor, minorDigits }: ExactAmount, currency: string): string =>
  `${formatMoney({ minor, minorDigits, currency })} ${currency}`;

interface Transaction {
  readonly amount: ExactAmount;
  readonly currency: string;
  readonly gatewayNumber: string | null;
}

/** Returns the amount, the currency and the gateway number of a record. */
export const identityText = ({ amount, currency, gatewayNumber }: Transaction): string =>
  [amountText(amount, currency), gatewayNumber ?? []].flat().join(", ");

/** Returns a line of a statement as people see it in a break. */
export const lineText = (line: StatementRecord): string => `${line.status}, ${identityText(line)}`;

/** Returns a payout of the ledger as people see it in a break. */
export const recordText = (record: LedgerRecord): string =>
  `${record.state}, ${identityText(record)}`;

/** Returns whether two amounts of one currency are equal, whatever their number of decimals. */
export function isEqualAmount(left: ExactAmount, right: ExactAmount): boolean {
  if (left.minorDigits === right.minorDigits) return left.minor === right.minor;
  const digits = Math.max(left.minorDigits, right.minorDigits);
  const scaled = ({ minor, minorDigits }: ExactAmount) =>
    minor * 10n ** BigInt(digits - minorDigits);
  return scaled(left) === scaled(right);
}
