import { sql } from "kysely";
import type { Database } from "#ledger/store/database.ts";

/**
 * Returns display names of recorded actors: the user's name for "user:US…", the name of the API key
 * for "key:AK…", and all others unchanged. Approvers must recognise the program that made a batch.
 */
export async function findActorNames(
  database: Database,
  actors: readonly string[],
): Promise<(actor: string) => string> {
  const [users, keys] = await Promise.all([
    namesIn(database, "users", idsOf(actors, "user:")),
    namesIn(database, "api_keys", idsOf(actors, "key:")),
  ]);
  const names = new Map<string, string>([
    ...users.map(({ id, name }) => [`user:${id}`, name] as const),
    ...keys.map(({ id, name }) => [`key:${id}`, `API key: ${name}`] as const),
  ]);
  return (actor) => names.get(actor) ?? actor;
}

const idsOf = (actors: readonly string[], kind: string): readonly string[] =>
  actors.flatMap((actor) => (actor.startsWith(kind) ? [actor.slice(kind.length)] : []));

const namesIn = async (
  database: Database,
  table: "users" | "api_keys",
  ids: readonly string[],
): Promise<{ readonly id: string; readonly name: string }[]> =>
  ids.length === 0
    ? []
    : database
        .selectFrom(table)
        .select(["id", "name"])
        .where("id", "in", [...ids])
        .execute();

/** The display name of an actor, and the process that acted if the actor is payrun. */
export interface DisplayName {
  readonly name: string;
  readonly process: string | null;
}

/** A reader who sees the names of their own API keys, or as an admin of all API keys. */
export interface KeyNameReader {
  readonly id: string;
  readonly isAdmin: boolean;
}

/** Returns the name of a process of payrun. Null: the actor is a person or an API key. */
export const processName = (actor: string): string | null =>
  actor.includes(":") ? null : "payrun";

/**
 * Returns display names: the name of the user, the operator of the command line, "payrun" for its
 * processes, or an API key with its ID.
 *
 * @param reader sees the names of some API keys. Null: the text is shown to everybody.
 */
export async function findDisplayNames(
  database: Database,
  actors: readonly string[],
  reader: KeyNameReader | null,
): Promise<(actor: string) => DisplayName> {
  const keyIds =
    reader === null
      ? []
      : actors.flatMap((actor) => (actor.startsWith("key:") ? [actor.slice(4)] : []));
  const [nameOf, keys] = await Promise.all([
    findActorNames(database, actors),
    keyIds.length === 0
      ? []
      : database
          .selectFrom("api_keys")
          .select(["id", "name", "created_by"])
          .where("id", "in", keyIds)
          .execute(),
  ]);
  const seen = keys.filter((key) => reader?.isAdmin || key.created_by === reader?.id);
  const keyNames = new Map(seen.map(({ id, name }) => [`key:${id}`, name]));
  return (actor) => {
    const own = processName(actor);
    if (own !== null) return { name: own, process: actor === own ? null : actor };
    if (actor.startsWith("cli:"))
      return { name: `${actor.slice(4)} (command line)`, process: null };
    if (actor.startsWith("key:"))
      return { name: keyNames.get(actor) ?? `API key ${actor.slice(4)}`, process: null };
    return { name: nameOf(actor), process: null };
  };
}

/** Returns whether the actor is this user, or an API key that this user made. */
export async function isActedBy(database: Database, actor: string, deed: string): Promise<boolean> {
  if (actor === deed) return true;
  if (!actor.startsWith("user:")) return false;
  const { rows } = await sql<{ behind: boolean }>`
    select stands_behind(${actor.slice(5)}, ${deed}) as behind`.execute(database);
  return rows[0]?.behind ?? false;
}

/** Returns the names of the approvers of whom an action of this actor is not their own. */
export async function findOtherApprovers(database: Database, actor: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from users
    where disabled_at is null and 'approver' = any (roles) and not stands_behind(id, ${actor})
    order by name, id`.execute(database);
  return rows.map(({ name }) => name);
}

/** Returns those actors whose actions count as actions of this one: see isActedBy. */
export async function findActedBy(
  database: Database,
  actor: string,
  deeds: readonly string[],
): Promise<ReadonlySet<string>> {
  const person = actor.startsWith("user:") ? actor.slice(5) : null;
  const { rows } = await sql<{ deed: string }>`
    select distinct deed from unnest(${[...deeds]}::text[]) deed
    where deed = ${actor} or ${person}::text is not null and stands_behind(${person}::text, deed)`.execute(
    database,
  );
  return new Set(rows.map(({ deed }) => deed));
}
