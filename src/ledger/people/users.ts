import { sql } from "kysely";
import { newId } from "#base/ids.ts";
import type { Database } from "#ledger/store/database.ts";
import type { Role } from "#people/roles.ts";

export interface NewUser {
  readonly email: string;
  readonly name: string;
  readonly roles: readonly Role[];
  readonly at: Date;
}

/** The unique index on email addresses. */
export const USERS_EMAIL = "users_email";

/** Stores a user and returns their ID. */
export async function insertUser(database: Database, user: NewUser): Promise<string> {
  const id = newId("US");
  await database
    .insertInto("users")
    .values({
      id,
      email: user.email,
      name: user.name,
      roles: [...user.roles],
      password: null,
      totp: null,
      disabled_at: null,
      created_at: user.at,
    })
    .execute();
  return id;
}

/**
 * Serialises changes of rights. Two admins who remove each other simultaneously would otherwise
 * leave none.
 */
export async function lockUsers(transaction: Database): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('payrun users'))`.execute(transaction);
}

/** Returns whether the ledger has any user. */
export async function hasUsers(database: Database): Promise<boolean> {
  return (
    (await database.selectFrom("users").select("id").limit(1).executeTakeFirst()) !== undefined
  );
}

export interface Account {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly roles: readonly Role[];
  readonly password: string | null;
  readonly hasTotp: boolean;
  readonly isDisabled: boolean;
}

/** Returns a user with the data needed to authenticate them. */
export async function findAccount(
  database: Database,
  by: { readonly email: string } | { readonly id: string },
): Promise<Account | null> {
  const row = await database
    .selectFrom("users")
    .select(["id", "email", "name", "roles", "password", "totp", "disabled_at"])
    .where(
      "id" in by
        ? sql<boolean>`id = ${by.id}`
        : sql<boolean>`lower(email) = ${by.email.toLowerCase()}`,
    )
    .executeTakeFirst();
  if (!row) return null;
  const { id, email, name, roles, password, totp, disabled_at } = row;
  const hasTotp = totp !== null;
  return { id, email, name, roles, password, hasTotp, isDisabled: disabled_at !== null };
}

/** Replaces the password hash of a user. */
export async function setPassword(database: Database, id: string, hash: string): Promise<void> {
  await database.updateTable("users").set({ password: hash }).where("id", "=", id).execute();
}

/** Stores a new hash of the same password. Has no effect if the password was changed meanwhile. */
export async function renewHash(
  database: Database,
  id: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  await database
    .updateTable("users")
    .set({ password: to })
    .where("id", "=", id)
    .where("password", "=", from)
    .execute();
}

/** The preferences of a user. Undefined: unchanged. */
export interface UserPreferences {
  /** The time zone of the dashboard. Null: the zone of the browser. */
  readonly timeZone?: string | null | undefined;
  /** Whether the user gets an e-mail about what is assigned to them. */
  readonly mailsAssignments?: boolean | undefined;
}

/** Sets preferences of a user. */
export async function setPreferences(
  database: Database,
  id: string,
  { timeZone, mailsAssignments }: UserPreferences,
): Promise<void> {
  const changed = {
    ...(timeZone !== undefined && { time_zone: timeZone }),
    ...(mailsAssignments !== undefined && { mails_assignments: mailsAssignments }),
  };
  if (Object.keys(changed).length === 0) return;
  await database.updateTable("users").set(changed).where("id", "=", id).execute();
}

/** Replaces the roles of a user. */
export async function setRoles(
  database: Database,
  id: string,
  roles: readonly Role[],
): Promise<void> {
  await database
    .updateTable("users")
    .set({ roles: [...roles] })
    .where("id", "=", id)
    .execute();
}

/** Disables a user from this time on; null enables them. */
export async function setDisabled(
  database: Database,
  id: string,
  disabledAt: Date | null,
): Promise<void> {
  await database
    .updateTable("users")
    .set({ disabled_at: disabledAt })
    .where("id", "=", id)
    .execute();
}

/** Returns the other admins who can sign in, or could until this moment. */
export async function countOtherAdmins(
  database: Database,
  id: string,
  disabledSince: Date | null = null,
): Promise<number> {
  const { admins } = await database
    .selectFrom("users")
    .select((select) => select.fn.countAll<number>().as("admins"))
    .where(sql<boolean>`'admin' = any(roles)`)
    .where(({ or, eb }) =>
      or([
        eb("disabled_at", "is", null),
        ...(disabledSince ? [eb("disabled_at", ">", disabledSince)] : []),
      ]),
    )
    .where("password", "is not", null)
    .where("id", "!=", id)
    .executeTakeFirstOrThrow();
  return admins;
}

export interface ListedUser {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly roles: readonly Role[];
  readonly state: "active" | "invited" | "disabled";
  readonly hasTotp: boolean;
  readonly seenAt: Date | null;
  readonly createdAt: Date;
  /** End of the open link of an invitation; null if there is none. */
  readonly linkExpiresAt: Date | null;
}

/** Returns all users by name, with their state and last activity. */
export async function listUsers(database: Database): Promise<ListedUser[]> {
  const rows = await database
    .selectFrom("users")
    // Joins all sessions once instead of per user, because ended sessions have no index.
    .leftJoin(
      (from) =>
        from
          .selectFrom("sessions")
          .select(({ fn }) => ["user_id", fn.max("seen_at").as("seen_at")])
          .groupBy("user_id")
          .as("s"),
      (join) => join.onRef("s.user_id", "=", "users.id"),
    )
    .select(["id", "email", "name", "roles", "password", "totp", "disabled_at", "created_at"])
    .select("s.seen_at")
    .select((select) =>
      select
        .selectFrom("links as l")
        .select(({ fn }) => fn.max("l.expires_at").as("expires_at"))
        .whereRef("l.user_id", "=", "users.id")
        .where("l.used_at", "is", null)
        .as("link_expires_at"),
    )
    .orderBy(sql`lower(name)`)
    .orderBy("id")
    .execute();
  return rows.map((row) => ({
    id: row.id,
    email: row.email,
    name: row.name,
    roles: row.roles,
    state: row.disabled_at ? "disabled" : row.password === null ? "invited" : "active",
    hasTotp: row.totp !== null,
    seenAt: row.seen_at,
    createdAt: row.created_at,
    linkExpiresAt: row.link_expires_at,
  }));
}
/** Returns the names and e-mail addresses of all users, including disabled ones. */
export const everyName = (database: Database): Promise<{ name: string; email: string }[]> =>
  database.selectFrom("users").select(["name", "email"]).execute();
