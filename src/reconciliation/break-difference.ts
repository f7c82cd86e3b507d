import { exactTotal, type Money, parseDecimal } from "#money/money.ts";
import type { PayoutState } from "#payout/payout-lifecycle.ts";
import type { BreakClass } from "#reconciliation/break-classes.ts";
import type { StatementStatus } from "#reconciliation/records.ts";

/** Both sides of a break, as text. Null: this side does not contain the transaction. */
export interface ShownSides {
  readonly class: BreakClass;
  readonly ledgerShows: string | null;
  readonly statementShows: string | null;
}

/** Whether the beneficiary has the money of a transaction with this result. Null: not proven. */
// biome-ignore format: the columns are the point
const IS_PAID: Readonly<Record<PayoutState | StatementStatus, boolean | null>> = {
  awaiting_approval: false,
  approved:          false,
  held_back:         false,
  cancelled:         false,
  submitting:        null,
  in_doubt:          null,
  accepted:          null,
  on_hold:           null,
  settled:           true,
  declined:          false,
  returned:          false,
  resolved:          null,
  completed:         true,
  failed:            false,
  pending:           null,
};

const AMOUNT = /^(-?)(\d+(?:\.\d+)?) ([A-Z0-9-]{3,40})$/;
/** The change of a balance, and the part of it that deposits and lines explain. */
const MOVEMENT = /^the balance changed by (\S+ \S+); deposits and lines explain (\S+ \S+)$/;
/** A closing balance. The statement adds the difference. */
const CLOSING = /^closing balance (\S+ \S+?)(?:, difference \S+ \S+)?$/;
/** A transaction such as "settled, 48250.00 INR, WD17958". The result may be missing. */
const TRANSACTION = /^(?:([a-z_]+), )?(-?[\d.]+ [A-Z0-9-]+)(?:, (.+))?$/;

/** Reads "-48250.00 INR". Null: it is something else. */
function moneyOf(text: string): Money | null {
  const [, sign, amount, currency] = AMOUNT.exec(text) ?? [];
  if (amount === undefined || currency === undefined) return null;
  const read = parseDecimal(amount, amount.split(".")[1]?.length ?? 0);
  return read && { ...read, currency, minor: sign === "-" ? -read.minor : read.minor };
}

/** One transaction of a side. */
interface Transaction {
  readonly money: Money;
  /** Null: the text has no result. */
  readonly result: PayoutState | StatementStatus | null;
  readonly number: string;
}

const isResult = (text: string): text is keyof typeof IS_PAID => Object.hasOwn(IS_PAID, text);

function transactionOf(text: string): Transaction | null {
  const [, result, amount = "", number = ""] = TRANSACTION.exec(text) ?? [];
  const money = moneyOf(amount);
  if (!money) return null;
  if (result === undefined) return number === "" ? { money, result: null, number } : null;
  return isResult(result) ? { money, result, number } : null;
}

/** The amount that one side shows as paid. Its `minor` is 0 if the side proves that none was. */
type Paid = Money | null;

/** Returns the amount that these transactions paid. Null: not proven, or there are several. */
function paidOf(shown: readonly Transaction[], kind: BreakClass): Paid {
  const paid: Money[] = [];
  const cameBack = new Set(
    shown.flatMap(({ result, number }) => (result === "returned" ? number : [])),
  );
  for (const { money, result, number } of shown) {
    if (cameBack.has(number)) continue;
    // A resolved payout can be missing on a statement only if it was resolved as paid.
    const isMissing = kind === "missing_at_gateway" && result === "resolved";
    const isPaid = result === null || isMissing ? true : IS_PAID[result];
    if (isPaid === null) return null;
    if (isPaid) paid.push(money);
  }
  const [first] = shown;
  if (paid.length === 0 && first) return { ...first.money, minor: 0n };
  // Several results of one transaction: their order decides whether the money came back.
  const hasRepeatedNumber = new Set(shown.map(({ number }) => number)).size < shown.length;
  return paid.length > 1 || hasRepeatedNumber ? null : (paid[0] ?? null);
}

const NOTHING = "nothing";

/** Returns the amount of one side, or NOTHING for a missing side. Null: it cannot be compared. */
function sideOf(text: string | null, kind: BreakClass): Paid | typeof NOTHING {
  if (text === null) return NOTHING;
  const [, balance] = CLOSING.exec(text) ?? [];
  if (balance !== undefined) return moneyOf(balance);
  const parts = text.split("; ").map(transactionOf);
  const shown = parts.flatMap((part) => part ?? []);
  if (shown.length < parts.length) return null;
  const paid = paidOf(shown, kind);
  const hasResults = shown.some(({ result }) => result !== null);
  // The break of the results has the amounts of those that were paid.
  return kind === "amount" && hasResults && paid?.minor !== 0n ? null : paid;
}

/**
 * Returns the amount that the statement shows as paid less that of the ledger. It is 0 if both
 * sides prove that no money moved. Null: the sides differ in something else, have several amounts,
 * or do not prove whether money moved. A missing side counts as nothing.
 */
export function differenceOf(shown: ShownSides): Money | null {
  if (shown.class === "listed_twice") return null;
  const [, change, explained] = MOVEMENT.exec(shown.statementShows ?? "") ?? [];
  const ours = sideOf(explained ?? shown.ledgerShows, shown.class);
  const theirs = sideOf(change ?? shown.statementShows, shown.class);
  if (ours === null || theirs === null) return null;
  const parts = [
    theirs === NOTHING ? [] : theirs,
    ours === NOTHING ? [] : { ...ours, minor: -ours.minor },
  ].flat();
  const paid = parts.filter(({ minor }) => minor !== 0n);
  if (paid.length === 0) return parts[0] ?? null;
  if (new Set(paid.map(({ currency }) => currency)).size !== 1) return null;
  const total = exactTotal(paid);
  return total && total.minor !== 0n ? total : null;
}

/** Breaks of one class, with the sums of their differences. */
export interface BreakKind {
  readonly class: BreakClass;
  readonly count: number;
  /** Statement less ledger, one sum for each currency. */
  readonly differences: readonly Money[];
}

/**
 * Counts breaks by class, and adds up their differences. Sums of different classes are not added: a
 * payout that one side lacks also moves the balance.
 */
export function kindsOf(breaks: readonly ShownSides[]): readonly BreakKind[] {
  return [...Map.groupBy(breaks, (each) => each.class)].map(([name, same]) => {
    const found = same.flatMap((each) => differenceOf(each) ?? []);
    const sums = [...Map.groupBy(found, ({ currency }) => currency).values()];
    return {
      class: name,
      count: same.length,
      differences: sums.flatMap((each) => exactTotal(each) ?? []),
    };
  });
}
