import { camtFile } from "#simulator/statements/camt-file.ts";
import type { DepositRow } from "#simulator/statements/statement-day.ts";
import type { StatementPlan } from "#simulator/statements/statement-file.ts";
import { scaled, unscaled } from "#simulator/state/transaction-log.ts";
import { type SettledDay, statementRowsOf } from "../../../bench/settled-day.ts";
import { SETTLED_DAY } from "./statement-of-day.ts";

interface CamtDay {
  readonly of?: SettledDay;
  readonly deposits?: readonly DepositRow[];
}

/**
 * Writes the camt.053 statement of a settled day, whose balances agree with its payouts and
 * deposits.
 */
export function camtOfDay(
  plan: Partial<StatementPlan> = {},
  { of = SETTLED_DAY, deposits = [] }: CamtDay = {},
): string {
  const rows = statementRowsOf(of);
  const paidIn = deposits.reduce((sum, { amount }) => sum + scaled(amount), 0n);
  const moved = rows.reduce((sum, { amount, fee }) => sum + scaled(amount) + scaled(fee), 0n);
  const opening = "1000000.00";
  const closing = unscaled(scaled(opening) + paidIn - moved);
  const { day, currency } = of;
  const account = { merchant: "M1", currency, day, balances: { opening, closing }, deposits };
  return camtFile(rows, { seed: 1, rows: {}, file: [], ...plan }, account).xml;
}
