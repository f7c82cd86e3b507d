import { type LogLine, scaled, unscaled } from "#simulator/state/transaction-log.ts";
import { shareOf } from "#simulator/state/fee.ts";
import type { StatementRow } from "./defects.ts";

/** One account on one day. Times are epoch milliseconds; `toMs` is excluded. */
export interface AccountDay {
  readonly merchant: string;
  readonly currency: string;
  readonly fromMs: number;
  readonly toMs: number;
  /** Fee of each settled payout, as a percentage of its amount: "0.5". */
  readonly feePercent: string;
}

/** Words for the events that end a payout, or change its end. */
const WORDS: Readonly<Record<string, StatementRow["status"]>> = {
  settled: "Completed",
  failed: "Failed",
  returned: "Returned",
};

/**
 * Returns the rows of a statement from the transaction log: each result of the day, and each payout
 * accepted on the day that had no result by its end.
 */
export function statementRows(lines: readonly LogLine[], day: AccountDay): StatementRow[] {
  const rows: StatementRow[] = [];
  const pending = new Map<string, StatementRow>();
  for (const line of lines) {
    const { event, at, transaction_no: number = "" } = line;
    const isOurs = line.merchant === day.merchant && line.currency === day.currency;
    if (!isOurs || at < day.fromMs || at >= day.toMs) continue;
    const { currency } = day;
    const code = line.transaction_code;
    const amount = line.amount ?? "0";
    const status = WORDS[event];
    const fee = event === "failed" ? "0" : shareOf(amount, day.feePercent);
    const row = { number, code, currency, amount, fee, at };
    if (event === "accepted") pending.set(number, { ...row, status: "Pending" });
    else if (status !== undefined) {
      pending.delete(number);
      rows.push({ ...row, status });
    }
  }
  return [...rows, ...pending.values()];
}

/** A deposit that was paid on the day. */
export type DepositRow = Pick<StatementRow, "number" | "code" | "amount" | "at">;

/** Returns the deposits that were paid on the day. */
export const depositRows = (lines: readonly LogLine[], day: AccountDay): readonly DepositRow[] =>
  lines.flatMap(({ event, at, merchant, currency, transaction_code: code, ...rest }) =>
    event === "deposit_paid" &&
    merchant === day.merchant &&
    currency === day.currency &&
    at >= day.fromMs &&
    at < day.toMs
      ? [{ number: rest.transaction_no ?? "", code, amount: rest.amount ?? "0", at }]
      : [],
  );

/** Balances of an account on a day, as decimal texts. Payouts count when they are settled. */
export interface DayBalances {
  readonly opening: string;
  readonly closing: string;
  readonly deposits: string;
}

/** Initial balance of an account in the statements. */
const INITIAL = scaled("1000000000");

/** Computes the balances of an account from the transaction log alone. */
export function dayBalances(lines: readonly LogLine[], day: AccountDay): DayBalances {
  let opening = INITIAL;
  let closing = INITIAL;
  let deposits = 0n;
  const settled = new Set<string>();
  for (const line of lines) {
    const isOurs = line.merchant === day.merchant && line.currency === day.currency;
    if (!isOurs || line.at >= day.toMs) continue;
    const change = changeOf(line, settled, day.feePercent);
    if (line.at < day.fromMs) opening += change;
    else if (line.event === "deposit_paid") deposits += change;
    closing += change;
  }
  return { opening: unscaled(opening), closing: unscaled(closing), deposits: unscaled(deposits) };
}

function changeOf(line: LogLine, settled: Set<string>, feePercent: string): bigint {
  const { event, transaction_no: number = "", amount = "0" } = line;
  if (event === "deposit_paid") return scaled(amount);
  if (event === "settled") {
    settled.add(number);
    return -scaled(amount) - scaled(shareOf(amount, feePercent));
  }
  const isReturn = (event === "returned" || event === "failed") && settled.delete(number);
  return isReturn ? scaled(amount) : 0n;
}
