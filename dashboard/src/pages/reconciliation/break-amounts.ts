import type { API } from "#api/api.ts";
import type { AnswerOf } from "#api/app/operation.ts";
import { isZero, type Money, sumByCurrency } from "../../base/money.ts";
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

const AMOUNT = /^(-?\d+(?:\.\d+)?) ([A-Z0-9-]{3,40})$/;
/** The change of a balance, and what its lines and deposits explain. */
const MOVEMENT = /^the balance changed by (\S+ \S+); deposits and lines explain (\S+ \S+)$/;
/** The closing balance of one side. The statement adds the difference. */
const CLOSING = /^(closing balance) (\S+ [A-Z0-9-]+?)(?:, difference \S+ \S+)?$/;

/** Reads a text such as "settled, 48250.00 INR, WD17958". */
export function sideOf(text: string): ShownSide {
  const [, name, balance] = CLOSING.exec(text) ?? [];
  if (name !== undefined && balance !== undefined) return { ...sideOf(balance), rest: name };
  // Several lines of a statement.
  if (text.includes("; ")) return { money: null, rest: text };
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

/** Returns the difference of a break, or a text if there is none. */
export function differenceOf({ difference }: Pick<ListedBreak, "difference">): Money | string {
  if (difference === null) return "–";
  return isZero(difference) ? messages.noNetDifference : difference;
}

/** Returns the sum of the differences in each currency. */
export const sumOfDifferences = (breaks: readonly ListedBreak[]): readonly Money[] =>
  sumByCurrency(breaks.flatMap(({ difference }) => difference ?? []));

/**
 * Returns the sum of the differences in each currency without their signs, so that surplus money
 * does not hide missing money.
 */
const sizeOfDifferences = (breaks: readonly Classed[]): readonly Money[] =>
  sumByCurrency(
    breaks.flatMap(({ difference }) =>
      difference ? [{ ...difference, amount: difference.amount.replace("-", "") }] : [],
    ),
  );

type Classed = Pick<ListedBreak, "class" | "difference">;

/**
 * Separates the breaks of payouts from those of balances. A payout that one side lacks also moves
 * the balance, so both together would count the same money twice.
 */
export function byMoney<Break extends Classed>(breaks: readonly Break[]) {
  const isBalance = (each: Break): boolean => each.class === "unexplained_movement";
  return {
    payouts: breaks.filter((each) => !isBalance(each)),
    balances: breaks.filter(isBalance),
  };
}

/** Returns the absolute differences of payouts, and apart from them those of balances. */
export function sizesOf(breaks: readonly Classed[]) {
  const { payouts, balances } = byMoney(breaks);
  return { payouts: sizeOfDifferences(payouts), balances: sizeOfDifferences(balances) };
}
