import type { LedgerSteps } from "#ledger/ledger.ts";
import type { LineSum } from "#ledger/reconciliation/statement-lines.ts";
import type { Statement } from "#ledger/reconciliation/statements.ts";
import { formatMoney } from "#money/format.ts";
import { laneParts } from "#payout/payout.ts";
import { unexplainedMovement } from "#reconciliation/balance-movement.ts";
import type { FoundBreak } from "#reconciliation/break-classes.ts";

/** Compares the lines of a statement with the change of the balance. Null: they agree. */
export async function balanceBreak(
  statement: Statement,
  steps: LedgerSteps["reconciliation"],
): Promise<FoundBreak | null> {
  const { lane, balances, minorDigits } = statement;
  if (!balances) return null;
  const { currency } = laneParts(lane);
  const sums = await steps.sumStatementLines(statement, currency);
  const digits = Math.max(
    minorDigits,
    ...sums.flatMap((sum) => [sum.minorDigits, sum.feeDigits ?? 0]),
  );
  const scaled = (minor: bigint, from: number) => minor * 10n ** BigInt(digits - from);
  const total = (status: LineSum["status"]) =>
    sums
      .filter((sum) => sum.status === status)
      .reduce((sum, each) => sum + scaled(each.amount, each.minorDigits), 0n);
  const fees = sums
    .filter(({ status }) => status === "completed")
    .reduce((sum, { fee, feeDigits }) => sum + scaled(fee ?? 0n, feeDigits ?? digits), 0n);
  const { opening, closing } = balances;
  const deposits = balances.deposits ?? 0n;
  const minor = unexplainedMovement({
    opening: scaled(opening, minorDigits),
    closing: scaled(closing, minorDigits),
    deposits: scaled(deposits, minorDigits),
    payouts: total("completed"),
    fees,
    returns: total("returned"),
  });
  if (minor === 0n) return null;
  const text = (amount: bigint) =>
    `${formatMoney({ minor: amount, minorDigits: digits, currency })} ${currency}`;
  const change = scaled(closing - opening, minorDigits);
  return {
    class: "unexplained_movement",
    code: "",
    payoutId: null,
    lines: [],
    ledger: null,
    statement: `the balance changed by ${text(change)}; deposits and lines explain ${text(change - minor)}`,
    basis: [opening, closing, deposits].map((each) => text(scaled(each, minorDigits))).join("; "),
    first: null,
  };
}
