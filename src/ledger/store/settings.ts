import type { Database } from "#ledger/store/database.ts";

/** Returns the settings with these names. Settings that nobody has set are omitted. */
export async function readSettings(
  database: Database,
  ...names: readonly string[]
): Promise<ReadonlyMap<string, string>> {
  const rows = await database
    .selectFrom("settings")
    .selectAll()
    .where("name", "in", names)
    .execute();
  return new Map(rows.map(({ name, value }) => [name, value]));
}

/** Stores settings by name and replaces earlier values. */
export async function writeSettings(
  transaction: Database,
  values: Readonly<Record<string, string>>,
): Promise<void> {
  await transaction
    .insertInto("settings")
    .values(Object.entries(values).map(([name, value]) => ({ name, value })))
    .onConflict((conflict) =>
      conflict.column("name").doUpdateSet({ value: (row) => row.ref("excluded.value") }),
    )
    .execute();
}
