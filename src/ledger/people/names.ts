import type { Database } from "#ledger/database.ts";

/** What people call the actors of records: "user:US…" by the name of the user, all others as they stand. */
export async function namesOf(
  database: Database,
  actors: readonly string[],
): Promise<(actor: string) => string> {
  const ids = actors.flatMap((actor) => (actor.startsWith("user:") ? [actor.slice(5)] : []));
  const users =
    ids.length === 0
      ? []
      : await database.selectFrom("users").select(["id", "name"]).where("id", "in", ids).execute();
  const names = new Map(users.map(({ id, name }) => [`user:${id}`, name]));
  return (actor) => names.get(actor) ?? actor;
}
