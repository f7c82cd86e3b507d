import { visible } from "#base/invisible-characters.ts";
import { err, ok, type Result } from "#base/result.ts";
import type { CamtBalance, CamtFacts } from "#reconciliation/camt/summary.ts";
import { decimalText } from "#reconciliation/camt/decimal.ts";
import type { StatementMapping } from "#reconciliation/statement-mapping.ts";
import type { StatementProblem } from "#reconciliation/statement-table.ts";
import { daysAfter } from "#reconciliation/statement-time.ts";

/** Balances of a statement in minor units. */
interface Balances {
  readonly opening: bigint;
  readonly closing: bigint;
  /** Null: each deposit is a line of the file. */
  readonly deposits: bigint | null;
}

const BALANCE_NAMES = ["opening", "closing"] as const;
type BalanceName = (typeof BALANCE_NAMES)[number];

/** The account and day of a statement, and the balances that a person gave. */
export interface ExpectedAccount {
  readonly currency: string;
  readonly minorDigits: number;
  readonly day: string;
  /** Null: not given. */
  readonly balances: Balances | null;
}

/** The balances that a file states. Null: it does not state this one. */
export interface StatedBalances {
  readonly opening: StatedBalance | null;
  readonly closing: StatedBalance | null;
}

interface StatedBalance {
  /** In minor units. */
  readonly minor: bigint;
  readonly line: number;
}

/** The balances of a statement, and those that its file states. */
interface FoundBalances {
  /** Null: the file does not state both, and nobody gave them. */
  readonly balances: Balances | null;
  readonly stated: StatedBalances;
}

/**
 * Returns the balances that the file states, or those that a person gave. All credits of a file
 * with balances are lines, so it has no other deposits. Err: the file is about another account or
 * day, or contradicts the given balances.
 */
export function balancesOf(
  facts: CamtFacts | null,
  expected: ExpectedAccount,
): Result<FoundBalances, readonly StatementProblem[]> {
  const stated: { -readonly [Name in BalanceName]: StatedBalance | null } = {
    opening: null,
    closing: null,
  };
  if (!facts) return ok({ balances: expected.balances, stated });
  const { currency } = facts;
  const problems: StatementProblem[] = [];
  if (currency && currency.text !== expected.currency) {
    problems.push({
      line: currency.line,
      column: "Acct/Ccy",
      message: "The statement is about an account in another currency.",
      expected: expected.currency,
      found: visible(currency.text),
    });
  }
  for (const name of BALANCE_NAMES) {
    const balance = facts[name];
    if (!balance) continue;
    const read = minorOf(balance, expected);
    if (read.ok) stated[name] = { minor: read.value, line: balance.line };
    else problems.push({ ...read.error, line: balance.line, column: `Bal (${name})` });
  }
  problems.push(...dayProblems(facts, expected.day));
  if (expected.balances) {
    const message = "The file states other balances than you. Its deposits are lines of the file.";
    problems.push(...contradictions(stated, expected.balances, { ...expected, message }));
  }
  if (problems.length > 0) return err(problems);
  return ok({ balances: wholeOf(stated) ?? expected.balances, stated });
}

/**
 * Returns why a file is not about this day. The time of a closing balance may have the date of the
 * next day in its own time zone.
 */
function dayProblems(
  { opening, closing, period }: CamtFacts,
  day: string,
): readonly StatementProblem[] {
  const problems: StatementProblem[] = [];
  const add = (line: number, column: string, message: string, expected: string, found: string) =>
    problems.push({ line, column, message, expected, found: visible(found) });
  if (period && !(period.from <= day && day <= period.to)) {
    const found = `${period.from} to ${period.to}`;
    add(period.line, "FrToDt", "The statement is about another period.", day, found);
  }
  const days = closing?.isTime ? [day, daysAfter(day, 1)] : [day];
  if (closing?.date && !days.includes(closing.date)) {
    add(closing.line, "Bal/Dt", "The closing balance is from another day.", day, closing.date);
  } else if (opening?.date && opening.date > day) {
    const message = "The opening balance is from a later day.";
    add(opening.line, "Bal/Dt", message, `${day} or earlier`, opening.date);
  }
  return problems;
}

/** Returns the balances of a file that states both. */
const wholeOf = ({ opening, closing }: StatedBalances): Balances | null =>
  opening && closing ? { opening: opening.minor, closing: closing.minor, deposits: null } : null;

/**
 * Returns why balances taken over from the statement that a file replaces are not those of the
 * file, which states at most one. If each deposit of the replaced statement is a line, amounts of
 * the file need a sign: without one, a deposit looks like a payout.
 */
export function inheritanceProblems(
  stated: StatedBalances,
  inherited: Balances,
  account: Pick<ExpectedAccount, "minorDigits"> & Pick<StatementMapping, "payoutSign">,
): readonly StatementProblem[] {
  if (inherited.deposits === null && account.payoutSign === "none") {
    const message =
      "The statement that this file replaces lists deposits as lines, but amounts of this file have no sign. Enter the balances and the deposits of the day.";
    const expected = "the opening and closing balance, and the sum of the deposits";
    return [{ line: null, column: null, message, expected, found: null }];
  }
  return contradictions(stated, inherited, {
    ...account,
    message:
      "The file states another balance than the statement that it replaces. Enter the balances.",
  });
}

/** Compares each stated balance with the same one of the others. */
function contradictions(
  stated: StatedBalances,
  others: Balances,
  { minorDigits: digits, message }: { readonly minorDigits: number; readonly message: string },
): readonly StatementProblem[] {
  const compared = BALANCE_NAMES.flatMap((name) => {
    const balance = stated[name];
    return balance ? [{ name, minor: balance.minor, other: others[name] }] : [];
  });
  const all = wholeOf(stated)
    ? [...compared, { name: "deposits", minor: 0n, other: others.deposits ?? 0n }]
    : compared;
  if (all.every(({ minor, other }) => minor === other)) return [];
  const text = (of: "minor" | "other") =>
    all.map((each) => `${each.name} ${decimalText({ minor: each[of], digits })}`).join(", ");
  const line = (stated.closing ?? stated.opening)?.line ?? null;
  return [{ line, column: "Bal", message, expected: text("minor"), found: text("other") }];
}

function minorOf(
  { amount, currency }: CamtBalance,
  expected: ExpectedAccount,
): Result<bigint, Pick<StatementProblem, "message" | "expected" | "found">> {
  if (currency !== expected.currency) {
    const message = "The balance has another currency.";
    return err({ message, expected: expected.currency, found: visible(currency) });
  }
  const { minorDigits } = expected;
  if (amount.digits > minorDigits) {
    const message = "The balance has too many decimals.";
    const most = `at most ${minorDigits} decimals`;
    return err({ message, expected: most, found: decimalText(amount) });
  }
  return ok(amount.minor * 10n ** BigInt(minorDigits - amount.digits));
}
