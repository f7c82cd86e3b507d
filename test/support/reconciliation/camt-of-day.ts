import { camtFile } from "#simulator/statements/camt-file.ts";
import type { StatementPlan } from "#simulator/statements/statement-file.ts";
import { scaled, unscaled } from "#simulator/state/transaction-log.ts";
import { statementRowsOf } from "../../../bench/settled-day.ts";
import { SETTLED_DAY } from "./statement-of-day.ts";

/** Writes the camt.053 statement of the settled day, whose balances agree with its payouts. */
export function camtOfDay(plan: Partial<StatementPlan> = {}): string {
  const rows = statementRowsOf(SETTLED_DAY);
  const moved = rows.reduce((sum, { amount, fee }) => sum + scaled(amount) + scaled(fee), 0n);
  const opening = "1000000.00";
  const closing = unscaled(scaled(opening) - moved);
  const { day, currency } = SETTLED_DAY;
  const account = { merchant: "M1", currency, day, balances: { opening, closing }, deposits: [] };
  return camtFile(rows, { seed: 1, rows: {}, file: [], ...plan }, account).xml;
}
