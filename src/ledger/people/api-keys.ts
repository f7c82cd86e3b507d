import { newId, newToken } from "#ids.ts";
import type { Database } from "#ledger/database.ts";
import { tokenDigest } from "#ledger/people/sessions.ts";
import type { KeyScope } from "#people/roles.ts";
import { Secret } from "#secret.ts";

/** So that a key is known as one where it should not stand: in a log, in a repository. */
const PREFIX = "pk_";
const SHOWN = PREFIX.length + 4;

export interface NewKey {
  readonly name: string;
  readonly scopes: readonly KeyScope[];
  readonly createdBy: string;
  readonly expiresAt: Date;
  readonly at: Date;
}

export async function insertApiKey(
  database: Database,
  key: NewKey,
): Promise<{ readonly id: string; readonly token: Secret }> {
  const token = `${PREFIX}${newToken()}`;
  const id = newId("AK");
  await database
    .insertInto("api_keys")
    .values({
      id,
      name: key.name,
      digest: tokenDigest(token),
      shown: token.slice(0, SHOWN),
      scopes: [...key.scopes],
      created_by: key.createdBy,
      expires_at: key.expiresAt,
      used_at: null,
      revoked_at: null,
      created_at: key.at,
    })
    .execute();
  return { id, token: new Secret(token) };
}

export interface ApiKey {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly KeyScope[];
  readonly usedAt: Date | null;
}

/** The key with this token; null: there is none that still counts. */
export async function findApiKey(
  database: Database,
  token: string,
  now: Date,
): Promise<ApiKey | null> {
  const row = await database
    .selectFrom("api_keys as k")
    .innerJoin("users as u", "u.id", "k.created_by")
    .select(["k.id", "k.name", "k.scopes", "k.used_at"])
    .where("k.digest", "=", tokenDigest(token))
    .where("k.revoked_at", "is", null)
    .where("k.expires_at", ">", now)
    // What somebody made who must not come in any more is not to be trusted either.
    .where("u.disabled_at", "is", null)
    .executeTakeFirst();
  return row ? { id: row.id, name: row.name, scopes: row.scopes, usedAt: row.used_at } : null;
}

export async function touchApiKey(database: Database, id: string, at: Date): Promise<void> {
  await database.updateTable("api_keys").set({ used_at: at }).where("id", "=", id).execute();
}

/** Every key there ever was, the latest first, with the name of who made it. */
export const listApiKeys = (database: Database) =>
  database
    .selectFrom("api_keys")
    .innerJoin("users", "users.id", "api_keys.created_by")
    .select(["api_keys.id", "api_keys.name", "shown", "scopes", "users.name as created_by"])
    .select(["expires_at", "used_at", "revoked_at", "api_keys.created_at"])
    .orderBy("api_keys.created_at", "desc")
    .orderBy("api_keys.id")
    .execute();

/** False: there is no such key that still counts. */
export async function revokeApiKey(transaction: Database, id: string, at: Date): Promise<boolean> {
  const revoked = await transaction
    .updateTable("api_keys")
    .set({ revoked_at: at })
    .where("id", "=", id)
    .where("revoked_at", "is", null)
    .executeTakeFirst();
  return revoked.numUpdatedRows === 1n;
}
