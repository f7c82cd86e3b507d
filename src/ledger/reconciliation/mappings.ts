import { sql } from "kysely";
import type { Database } from "#ledger/store/database.ts";
import { laneParts } from "#payout/payout.ts";
import type { AmountStyle } from "#money/parse.ts";
import type { PayoutSign, StatementMapping } from "#reconciliation/statement-mapping.ts";

/** A stored version of the mapping for the statements of one lane. */
export interface StoredMapping extends StatementMapping {
  readonly version: number;
}

/** Returns a version of a lane's mapping, or its newest. Null: there is none. */
export async function findStatementMapping(
  database: Database,
  lane: string,
  version: number | null = null,
): Promise<StoredMapping | null> {
  const { merchantCode, currency } = laneParts(lane);
  const { rows } = await sql<{
    version: number;
    columns: StatementMapping["columns"];
    words: StatementMapping["words"];
    amountStyle: AmountStyle;
    payoutSign: PayoutSign;
    zone: string;
  }>`
    select version, columns, words, amount_style as "amountStyle", payout_sign as "payoutSign", zone
    from statement_mappings
    where merchant_code = ${merchantCode} and currency = ${currency}
      and (${version}::integer is null or version = ${version}::integer)
    order by version desc
    limit 1`.execute(database);
  return rows[0] ?? null;
}

/** Stores the next version of a mapping and returns its number. */
export async function insertStatementMapping(
  transaction: Database,
  { lane, mapping, actor }: { lane: string; mapping: StatementMapping; actor: string },
): Promise<number> {
  const { merchantCode, currency } = laneParts(lane);
  const { rows } = await sql<{ version: number }>`
    insert into statement_mappings
      (merchant_code, currency, version, columns, words, amount_style, payout_sign, zone, actor)
    select ${merchantCode}, ${currency}, coalesce(max(version), 0) + 1,
      ${JSON.stringify(mapping.columns)}::jsonb, ${JSON.stringify(mapping.words)}::jsonb,
      ${mapping.amountStyle}, ${mapping.payoutSign}, ${mapping.zone}, ${actor}
    from statement_mappings
    where merchant_code = ${merchantCode} and currency = ${currency}
    returning version`.execute(transaction);
  const [row] = rows;
  if (!row) throw new Error("the mapping was not inserted");
  return row.version;
}
