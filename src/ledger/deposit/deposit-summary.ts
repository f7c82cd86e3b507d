import { sql } from "kysely";
import type { DepositState } from "#deposit/lifecycle.ts";
import { depositCondition, type DepositFilter } from "#ledger/deposit/deposits.ts";
import type { Database } from "#ledger/store/database.ts";
import type { Sealer } from "#ledger/store/sealing.ts";
import { moneyOf } from "#ledger/store/tables.ts";
import type { Money } from "#money/money.ts";

/** The number and requested sum of the deposits found in one state and currency. */
export interface DepositSum {
  readonly state: DepositState;
  readonly deposits: number;
  readonly money: Money;
}

/** Returns the sums by state and currency of the deposits that match a filter, in every state. */
export async function sumDeposits(
  database: Database,
  sealer: Sealer,
  filter: Omit<DepositFilter, "states">,
): Promise<readonly DepositSum[]> {
  const { rows } = await sql<{
    state: DepositState;
    currency: string;
    minor_digits: number;
    amount_minor: string;
    deposits: number;
  }>`
    select state, currency, minor_digits, sum(amount_minor)::text as amount_minor, count(*)::int as deposits
    from deposits where ${depositCondition(sealer, filter)}
    group by 1, 2, 3 order by 2, 1`.execute(database);
  return rows.map((row) => ({ state: row.state, deposits: row.deposits, money: moneyOf(row) }));
}
