import { sql } from "kysely";
import { newId, newToken } from "#base/ids.ts";
import type { Database } from "#ledger/store/database.ts";
import { tokenDigest } from "#ledger/people/sessions.ts";
import type { KeyScope, Role } from "#people/roles.ts";
import { Secret } from "#base/secret.ts";

/**
 * Prefix by which a key is recognised in places where it must not be, such as a log or a
 * repository.
 */
const PREFIX = "pk_";
const SHOWN = PREFIX.length + 4;

export interface NewKey {
  readonly name: string;
  readonly scopes: readonly KeyScope[];
  readonly createdBy: string;
  readonly expiresAt: Date;
  readonly at: Date;
}

/** Creates an API key and returns its token, of which only a digest is stored. */
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

/**
 * Roles of the maker `u` that limit a key. A role that requires a second factor allows only reading
 * while the maker has none, so it counts as viewer.
 */
const RIGHTS_OF_MAKER = sql<Role[]>`
  case when u.totp is not null then u.roles else array(
    select case when f.role is null then r.role else 'viewer' end
    from unnest(u.roles) as r(role) left join second_factor_roles as f on f.role = r.role) end`;

/** ID of the oldest key that `k` replaces, directly or through others; without one, its own. */
const FIRST_OF_ROTATIONS = sql<string>`(
  with recursive chain as (
    select k.id, 0 as age union all
    select o.id, c.age + 1 from chain c join api_keys o on o.replaced_by = c.id
  ) select id from chain order by age desc limit 1)`;

export interface ApiKey {
  readonly id: string;
  /** The first key of its rotations. */
  readonly firstId: string;
  readonly name: string;
  readonly scopes: readonly KeyScope[];
  readonly createdBy: string;
  /** Name and effective roles of the key's maker, whose rights limit the key. */
  readonly makerName: string;
  readonly makerRoles: readonly Role[];
  readonly usedAt: Date | null;
  /** True if the key does not work yet, because an admin must confirm it first. */
  readonly isWaiting: boolean;
}

/**
 * Returns the key with this token. Null: it is unknown, revoked or expired, or its maker is
 * disabled.
 */
export async function findApiKey(
  database: Database,
  token: string,
  now: Date,
): Promise<ApiKey | null> {
  const row = await database
    .selectFrom("api_keys as k")
    .innerJoin("users as u", "u.id", "k.created_by")
    .select(["k.id", "k.name", "k.scopes", "k.used_at", "k.created_by", "k.confirmed_by"])
    .select(["k.needs_confirmation", "u.name as maker_name", RIGHTS_OF_MAKER.as("maker_roles")])
    .select(FIRST_OF_ROTATIONS.as("first_id"))
    .where("k.digest", "=", tokenDigest(token))
    .where("k.revoked_at", "is", null)
    .where("k.expires_at", ">", now)
    .where("u.disabled_at", "is", null)
    .executeTakeFirst();
  return row
    ? {
        id: row.id,
        firstId: row.first_id,
        name: row.name,
        scopes: row.scopes,
        createdBy: row.created_by,
        makerName: row.maker_name,
        makerRoles: row.maker_roles,
        usedAt: row.used_at,
        isWaiting: row.needs_confirmation && row.confirmed_by === null,
      }
    : null;
}

/**
 * Returns the name of a key, active or not, and the user who made it. Null: there is no such key.
 */
export async function findKey(
  database: Database,
  id: string,
): Promise<Pick<ApiKey, "name" | "createdBy"> | null> {
  const row = await database
    .selectFrom("api_keys")
    .select(["name", "created_by as createdBy"])
    .where("id", "=", id)
    .executeTakeFirst();
  return row ?? null;
}

/** Records when an API key was last used. */
export async function touchApiKey(database: Database, id: string, at: Date): Promise<void> {
  await database.updateTable("api_keys").set({ used_at: at }).where("id", "=", id).execute();
}

export interface ListedKey {
  readonly id: string;
  readonly name: string;
  readonly shown: string;
  readonly scopes: readonly KeyScope[];
  readonly createdBy: string;
  readonly makerName: string;
  readonly makerRoles: readonly Role[];
  readonly isMakerDisabled: boolean;
  readonly isConfirmed: boolean;
  /** Expiry of its proposal. Null: it needs no confirmation, or the proposal was decided. */
  readonly waitsUntil: Date | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly usedAt: Date | null;
  readonly revokedAt: Date | null;
  /** The key that replaces it. Null: it was not rotated. */
  readonly replacedBy: string | null;
}

/**
 * Returns all keys ever made, newest first.
 *
 * @param maker returns only the keys of this user; null: of everybody.
 */
export async function listApiKeys(
  database: Database,
  maker: string | null = null,
): Promise<ListedKey[]> {
  const { rows } = await sql<ListedKey>`
    select k.id, k.name, k.shown, k.scopes, k.created_by as "createdBy", u.name as "makerName", ${RIGHTS_OF_MAKER} as "makerRoles",
      u.disabled_at is not null as "isMakerDisabled",
      not k.needs_confirmation or k.confirmed_by is not null as "isConfirmed",
      (select max(p.expires_at) from pending_changes p
        where p.outcome is null and p.change ->> 'kind' = 'key' and p.change ->> 'key_id' = k.id) as "waitsUntil",
      k.created_at as "createdAt", k.expires_at as "expiresAt", k.used_at as "usedAt", k.revoked_at as "revokedAt", k.replaced_by as "replacedBy"
    from api_keys k join users u on u.id = k.created_by
    where ${maker}::text is null or k.created_by = ${maker}
    order by k.created_at desc, k.id`.execute(database);
  return rows;
}

/**
 * Returns the version of the key on which a confirmation is based, or null if there is no such key.
 */
export const findKeyVersion = (database: Database, id: string) =>
  database
    .selectFrom("api_keys as k")
    .innerJoin("users as u", "u.id", "k.created_by")
    .select(["k.scopes", "k.revoked_at", "k.confirmed_by", "u.disabled_at"])
    .select(RIGHTS_OF_MAKER.as("roles"))
    .where("k.id", "=", id)
    .executeTakeFirst();

/**
 * Confirms a key.
 *
 * @throws the refusal of the database: a confirmation by its maker, or by a user who is not an
 * admin.
 */
export async function confirmApiKey(
  transaction: Database,
  { id, by, at }: { readonly id: string; readonly by: string; readonly at: Date },
): Promise<void> {
  await transaction
    .updateTable("api_keys")
    .set({ confirmed_by: by, confirmed_at: at })
    .where("id", "=", id)
    .execute();
}

/**
 * Revokes a key and returns its maker. Null: there is no such key, it belongs to another maker, or
 * it was revoked before.
 */
export async function revokeApiKey(
  transaction: Database,
  {
    id,
    maker = null,
    at,
  }: { readonly id: string; readonly maker?: string | null; readonly at: Date },
): Promise<string | null> {
  const { rows } = await sql<{ created_by: string }>`
    update api_keys set revoked_at = ${at}
    where id = ${id} and revoked_at is null and (${maker}::text is null or created_by = ${maker})
    returning created_by`.execute(transaction);
  return rows[0]?.created_by ?? null;
}

/** A key that a new one can replace. */
export type RotatableKey = Pick<NewKey, "name" | "scopes" | "expiresAt"> & {
  readonly createdAt: Date;
};

/**
 * Returns a key of this maker that is valid and was not replaced before, and locks it. Null: there
 * is no such key.
 */
export async function lockRotatableKey(
  transaction: Database,
  { id, maker, at }: { readonly id: string; readonly maker: string; readonly at: Date },
): Promise<RotatableKey | null> {
  const row = await transaction
    .selectFrom("api_keys")
    .select(["name", "scopes", "expires_at as expiresAt", "created_at as createdAt"])
    .where("id", "=", id)
    .where("created_by", "=", maker)
    .where("revoked_at", "is", null)
    .where("replaced_by", "is", null)
    .where("expires_at", ">", at)
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

/** Records the key that replaces an old one, which expires at `until` or earlier. */
export async function replaceApiKey(
  transaction: Database,
  { id, by, until }: { readonly id: string; readonly by: string; readonly until: Date },
): Promise<void> {
  await sql`
    update api_keys set replaced_by = ${by}, expires_at = least(expires_at, ${until})
    where id = ${id}`.execute(transaction);
}
