import { sql } from "kysely";
import type { Database } from "#ledger/store/database.ts";

/** A payout or deposit that payrun knows under the code of a line. */
export interface KnownTransaction {
  readonly code: string;
  readonly kind: "payout" | "deposit";
  readonly lane: string;
  readonly state: string;
}

/** Finds the payouts and deposits of all lanes under these codes and gateway numbers. */
export async function findTransactionsWithCodes(
  database: Database,
  codes: readonly string[],
): Promise<readonly KnownTransaction[]> {
  const { rows } = await sql<KnownTransaction>`
    with asked as (
      select code, case when code like '#%' then substr(code, 2) end as number
      from unnest(${[...codes]}::text[]) a (code)
    )
    select a.code, 'payout' as kind, p.lane, p.state
    from asked a join payout_details d on d.transaction_code = a.code join payouts p on p.id = d.payout_id
    union all
    select a.code, 'payout', p.lane, p.state
    from asked a join payouts p on p.gateway_number = a.number
    union all
    select a.code, 'deposit', d.lane, d.state
    from asked a join deposits d on d.transaction_code = a.code or d.gateway_number = a.number`.execute(
    database,
  );
  return rows;
}
