import type { API } from "#api/api.ts";
import type { AnswerOf } from "#api/app/operation.ts";
import { addAmounts, type Money, sumByCurrency } from "../../base/money.ts";

/** A break as lists show it. */
export type ListedBreak = AnswerOf<(typeof API)["GET /api/breaks"]>["items"][number];

/** One side of a break: its amount, and the rest of its text. */
export interface ShownSide {
  /** Null: the text has no amount, or more than one. */
  readonly money: Money | null;
  /** The result and the gateway number. Empty: the text is only an amount. */
  readonly rest: string;
}

const AMOUNT = /^(-?\d+(?:\.\d+)?) ([A-Z]{3,6})$/;

/** Reads a text such as "settled, 48250.00 INR, WD17958". */
export function sideOf(text: string): ShownSide {
  const parts = text.split(", ");
  const found = parts.flatMap((part) => {
    const [, amount, currency] = AMOUNT.exec(part) ?? [];
    return amount === undefined || currency === undefined ? [] : [{ amount, currency }];
  });
  const [money] = found;
  if (money === undefined || found.length > 1) return { money: null, rest: text };
  return { money, rest: parts.filter((part) => !AMOUNT.test(part)).join(" · ") };
}

const negative = (amount: string): string =>
  amount.startsWith("-") ? amount.slice(1) : `-${amount}`;

/**
 * Returns the amount of the statement less that of the ledger. Null: the sides differ in something
 * else, or have several amounts. A missing side counts as nothing.
 */
export function differenceOf({
  ledger_shows: ledger,
  statement_shows: statement,
}: Pick<ListedBreak, "ledger_shows" | "statement_shows">): Money | null {
  const ours = ledger === null ? null : sideOf(ledger).money;
  const theirs = statement === null ? null : sideOf(statement).money;
  // A side that is present and has no amount cannot be compared.
  if ((ledger !== null && !ours) || (statement !== null && !theirs)) return null;
  const currency = ours?.currency ?? theirs?.currency;
  if (currency === undefined || (ours && theirs && ours.currency !== theirs.currency)) return null;
  const parts = [...(theirs ? [theirs.amount] : []), ...(ours ? [negative(ours.amount)] : [])];
  const amount = addAmounts(parts);
  return /[1-9]/.test(amount) ? { currency, amount } : null;
}

/** Returns the sum of the differences in each currency. */
export const sumOfDifferences = (breaks: readonly ListedBreak[]): readonly Money[] =>
  sumByCurrency(breaks.flatMap((each) => differenceOf(each) ?? []));
