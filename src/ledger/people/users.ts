import { newId } from "#ids.ts";
import type { Database } from "#ledger/database.ts";
import type { Role } from "#people/roles.ts";

export interface NewUser {
  readonly email: string;
  readonly name: string;
  readonly roles: readonly Role[];
  readonly at: Date;
}

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
      seen_at: null,
      created_at: user.at,
    })
    .execute();
  return id;
}

/** Whether anybody can sign in, or could once they have chosen a password. */
export async function hasUsers(database: Database): Promise<boolean> {
  return (
    (await database.selectFrom("users").select("id").limit(1).executeTakeFirst()) !== undefined
  );
}
