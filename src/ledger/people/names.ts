import { sql } from "kysely";
import type { Database } from "#ledger/store/database.ts";

/**
 * Returns display names of recorded actors: the user's name for "user:US…", and all others
 * unchanged.
 */
export async function findActorNames(
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

/** Returns whether the actor is this user, or an API key that this user made. */
export async function isActedBy(database: Database, actor: string, deed: string): Promise<boolean> {
  if (actor === deed) return true;
  if (!actor.startsWith("user:")) return false;
  const { rows } = await sql<{ behind: boolean }>`
    select stands_behind(${actor.slice(5)}, ${deed}) as behind`.execute(database);
  return rows[0]?.behind ?? false;
}
