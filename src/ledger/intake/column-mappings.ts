import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { RememberedColumns } from "#intake/header/column-mapping.ts";
import type { Column } from "#intake/header/columns.ts";
import type { Database } from "#ledger/store/database.ts";

/** Number of headers per uploader whose mapping is suggested again. */
const HEADERS_MAX = 100;

const headerDigest = (names: readonly string[]): string =>
  createHash("sha256").update(JSON.stringify(names)).digest("hex");

/** Stores what the columns of this header mean for the uploader. */
export async function rememberColumns(
  database: Database,
  actor: string,
  names: readonly string[],
  { mapping, currency }: RememberedColumns,
): Promise<void> {
  const row = {
    actor,
    header_digest: headerDigest(names),
    mapping: JSON.stringify([...mapping]),
    currency,
    used_at: sql<Date>`now()`,
  };
  await database
    .insertInto("column_mappings")
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(["actor", "header_digest"])
        .doUpdateSet({ mapping: row.mapping, currency, used_at: row.used_at }),
    )
    .execute();
}

/** Returns a function that finds the mapping of the uploader's last file with the same header. */
export async function recallColumns(
  database: Database,
  actor: string,
): Promise<(names: readonly string[]) => RememberedColumns | null> {
  const rows = await database
    .selectFrom("column_mappings")
    .select(["header_digest", "mapping", "currency"])
    .where("actor", "=", actor)
    .orderBy("used_at", "desc")
    .limit(HEADERS_MAX)
    .execute();
  const mappings = new Map(
    rows.map(({ header_digest, mapping, currency }) => [
      header_digest,
      { mapping: new Map(mapping as [string, Column | null][]), currency },
    ]),
  );
  return (names) => mappings.get(headerDigest(names)) ?? null;
}
