import { type Finding, ok, warning } from "#cli/operations/doctor-finding.ts";
import type { OpenLedger } from "#app/open-ledger.ts";

const SEPARATE =
  "give the application its own role: move this URL to DATABASE_OWNER_URL, set DATABASE_URL to another user with a new password, and run payrun migrate (docs/operate/production.md#database-roles)";

/** Checks whether the role of DATABASE_URL could change the ledger despite its triggers. */
export async function checkDatabaseRoles({ database }: OpenLedger): Promise<Finding> {
  const { ledgerRole } = await import("#ledger/store/rights.ts");
  const { name, powers, exceeds } = await ledgerRole(database);
  if (powers.length > 0) {
    const found = `payrun connects as ${name}, which can disable the ledger's safeguards: ${powers.join("; ")}`;
    return warning(ROLES, found, SEPARATE);
  }
  if (exceeds.length > 0) {
    const found = `payrun connects as ${name}, which has unnecessary rights: ${exceeds.join(", ")}`;
    return warning(ROLES, found, "to revoke them, run payrun migrate with DATABASE_OWNER_URL");
  }
  return ok(ROLES, `payrun connects as ${name}, which cannot disable the ledger's safeguards`);
}

const ROLES = "database roles";
