import type { Database } from "#ledger/database.ts";
import { tokenDigest } from "#ledger/people/sessions.ts";
import type { KeyScope } from "#people/roles.ts";

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
    .selectFrom("api_keys")
    .select(["id", "name", "scopes", "used_at"])
    .where("digest", "=", tokenDigest(token))
    .where("revoked_at", "is", null)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return row ? { id: row.id, name: row.name, scopes: row.scopes, usedAt: row.used_at } : null;
}

export async function touchApiKey(database: Database, id: string, at: Date): Promise<void> {
  await database.updateTable("api_keys").set({ used_at: at }).where("id", "=", id).execute();
}
