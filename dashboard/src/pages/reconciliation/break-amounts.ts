import type { API } from "#api/api.ts";
import type { AnswerOf } from "#api/app/operation.ts";
import { addAmounts, type Money, sumByCurrency } from "../../base/money.ts";
import { messages } from "./side-messages.ts";

/** A break as lists show it. */
export type ListedBreak = AnswerOf<(typeof API)["GET /api/breaks"]>["items"][number];

type Shown = Pick<ListedBreak, "ledger_shows" | "statement_shows">;

/** One side of a break: its amount, and the rest of its text. */
export interface ShownSide {
  /** Null: the text has no amount, or more than one. */
  readonly money: Money | null;
  /** The result and the gateway number. Empty: the text is only an amount. */
  readonly rest: string;
}

/** Both sides of a break. Null: this side does not contain it. */
interface Sides {
  readonly ledger: ShownSide | null;
  readonly statement: ShownSide | null;
}

const AMOUNT = /^(-?\d+(?:\.\d+)?) ([A-Z]{3,6})$/;
/** The change of a balance, and what its lines and deposits explain. */
const MOVEMENT = /^the balance changed by (\S+ \S+); deposits and lines explain (\S+ \S+)$/;
/** The closing balance of one side. The statement adds the difference. */
const CLOSING = /^(closing balance) (\S+ [A-Z]{3,6})(?:, difference \S+ \S+)?$/;

/** Reads a text such as "settled, 48250.00 INR, WD17958". */
export function sideOf(text: string): ShownSide {
  const [, name, balance] = CLOSING.exec(text) ?? [];
  if (name !== undefined && balance !== undefined) return { ...sideOf(balance), rest: name };
  const parts = text.split(", ");
  const found = parts.flatMap((part) => {
    const [, amount, currency] = AMOUNT.exec(part) ?? [];
    return amount === undefined || currency === undefined ? [] : [{ amount, currency }];
  });
  const [money] = found;
  if (money === undefined || found.length > 1) return { money: null, rest: text };
  return { money, rest: parts.filter((part) => !AMOUNT.test(part)).join(" · ") };
}

/**
 * Returns both sides of a break. For a movement of the balance, the left side is the part that the
 * deposits and lines explain.
 */
export function sidesOf({ ledger_shows: ledger, statement_shows: statement }: Shown): Sides {
  const [, change, explained] = MOVEMENT.exec(statement ?? "") ?? [];
  if (change !== undefined && explained !== undefined) {
    return {
      ledger: { ...sideOf(explained), rest: messages.explained },
      statement: { ...sideOf(change), rest: messages.change },
    };
  }
  return {
    ledger: ledger === null ? null : sideOf(ledger),
    statement: statement === null ? null : sideOf(statement),
  };
}

const negative = (amount: string): string =>
  amount.startsWith("-") ? amount.slice(1) : `-${amount}`;

/**
 * Returns the amount of the statement less that of the ledger. Null: the sides differ in something
 * else, or have several amounts. A missing side counts as nothing.
 */
export function differenceOf(of: Shown): Money | null {
  const { ledger, statement } = sidesOf(of);
  const ours = ledger?.money ?? null;
  const theirs = statement?.money ?? null;
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

/**
 * Returns the sum of the differences in each currency without their signs, so that surplus money
 * does not hide missing money.
 */
export const sizeOfDifferences = (breaks: readonly Shown[]): readonly Money[] =>
  sumByCurrency(
    breaks.flatMap((each) => {
      const difference = differenceOf(each);
      return difference ? [{ ...difference, amount: difference.amount.replace("-", "") }] : [];
    }),
  );
