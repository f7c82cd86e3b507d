import { visible } from "#base/invisible-characters.ts";
import { err, ok, type Result } from "#base/result.ts";
import type { CamtBalance, CamtFacts } from "#reconciliation/camt/summary.ts";
import { decimalText } from "#reconciliation/camt/decimal.ts";
import type { StatementProblem } from "#reconciliation/statement-table.ts";

/** Balances of a statement in minor units. */
interface Balances {
  readonly opening: bigint;
  readonly closing: bigint;
  /** Null: each deposit is a line of the file. */
  readonly deposits: bigint | null;
}

/** The account and day of a statement, and the balances that a person gave. */
export interface ExpectedAccount {
  readonly currency: string;
  readonly minorDigits: number;
  readonly day: string;
  /** Null: not given. */
  readonly balances: Balances | null;
}

/**
 * Returns the balances that the file states, or those that a person gave. Null: there are none. All
 * credits of a file with balances are lines, so it has no other deposits. Err: the file is about
 * another account or day, or contradicts the given balances.
 */
export function balancesOf(
  facts: CamtFacts | null,
  expected: ExpectedAccount,
): Result<Balances | null, readonly StatementProblem[]> {
  if (!facts) return ok(expected.balances);
  const { opening, closing, currency } = facts;
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
  const minor = { opening: 0n, closing: 0n };
  for (const name of ["opening", "closing"] as const) {
    const balance = facts[name];
    if (!balance) continue;
    const read = minorOf(balance, expected);
    if (read.ok) minor[name] = read.value;
    else problems.push({ ...read.error, line: balance.line, column: `Bal (${name})` });
  }
  if (closing?.date && closing.date !== expected.day) {
    problems.push({
      line: closing.line,
      column: "Bal/Dt",
      message: "The closing balance is from another day.",
      expected: expected.day,
      found: visible(closing.date),
    });
  }
  const stated = opening && closing ? { ...minor, deposits: null } : null;
  if (stated && expected.balances && !isEqual(stated, expected.balances)) {
    problems.push({
      line: closing?.line ?? null,
      column: "Bal",
      message: "The file states other balances than you. Its deposits are lines of the file.",
      expected: balancesText(stated, expected),
      found: balancesText(expected.balances, expected),
    });
  }
  return problems.length > 0 ? err(problems) : ok(stated ?? expected.balances);
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

const isEqual = (left: Balances, right: Balances): boolean =>
  left.opening === right.opening &&
  left.closing === right.closing &&
  (left.deposits ?? 0n) === (right.deposits ?? 0n);

function balancesText(balances: Balances, { minorDigits: digits }: ExpectedAccount): string {
  const text = (minor: bigint) => decimalText({ minor, digits });
  const { opening, closing, deposits } = balances;
  return `opening ${text(opening)}, closing ${text(closing)}, deposits ${text(deposits ?? 0n)}`;
}
