import type { Database } from "#ledger/database.ts";

/** The settings of these names, by name; one that nobody has set is not among them. */
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
