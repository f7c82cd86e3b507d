import { sql } from "kysely";
import { appendAudit } from "#ledger/integrity/audit-hash-chain.ts";
import type { Database } from "#ledger/store/database.ts";
import { ROLE_NAMES, type Role } from "#people/roles.ts";

/** Returns the roles that require a second factor, in the order of the table of roles. */
export async function readFactorRoles(database: Database): Promise<Role[]> {
  const rows = await database.selectFrom("second_factor_roles").select("role").execute();
  const demanding = new Set(rows.map(({ role }) => role));
  return ROLE_NAMES.filter((role) => demanding.has(role));
}

/**
 * Replaces the roles that require a second factor. Takes effect with the next request of every user
 * with such a role.
 */
export async function writeFactorRoles(
  transaction: Database,
  roles: readonly Role[],
  { actor, at }: { readonly actor: string; readonly at: Date },
): Promise<void> {
  const before = await readFactorRoles(transaction);
  await transaction.deleteFrom("second_factor_roles").execute();
  const after = ROLE_NAMES.filter((role) => roles.includes(role));
  if (after.length > 0) {
    const rows = after.map((role) => ({ role }));
    await transaction.insertInto("second_factor_roles").values(rows).execute();
  }
  await appendAudit(transaction, at, {
    actor,
    action: "second_factor_policy",
    object: "second_factor_policy",
    facts: { before, after },
  });
}

/** Returns whether a role of this user requires a second factor. */
export async function isFactorRequired(database: Database, userId: string): Promise<boolean> {
  const { rows } = await sql<{ demanded: boolean }>`
    select second_factor_demanded(${userId}) as demanded`.execute(database);
  return rows[0]?.demanded ?? false;
}
