import { sql } from "kysely";
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

/** Whether the actor is this one, or the user who made the key that is. */
export async function standsBehind(
  database: Database,
  actor: string,
  deed: string,
): Promise<boolean> {
  if (actor === deed) return true;
  if (!actor.startsWith("user:")) return false;
  const { rows } = await sql<{ behind: boolean }>`
    select stands_behind(${actor.slice(5)}, ${deed}) as behind`.execute(database);
  return rows[0]?.behind ?? false;
}
