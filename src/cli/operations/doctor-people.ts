import { ok, type Finding, warning } from "#cli/operations/doctor-finding.ts";
import type { OpenLedger } from "#app/open-ledger.ts";

/**
 * Checks whether roles require a second factor, and which users could be mistaken for each other.
 */
export async function checkUsers({ database }: Pick<OpenLedger, "database">): Promise<Finding[]> {
  const { listUsers } = await import("#ledger/people/users.ts");
  const { readFactorRoles } = await import("#ledger/people/second-factor-policy.ts");
  const { lookAlikesAmong } = await import("#people/look-alikes.ts");
  const users = await listUsers(database);
  if (users.length === 0) return [];
  const roles = await readFactorRoles(database);
  const said = ({ name, email }: (typeof users)[number]) => `${name} (${email})`;
  return [
    roles.length > 0
      ? ok(SECOND_FACTOR, `required for the roles ${roles.join(", ")}`)
      : warning(
          SECOND_FACTOR,
          "no role requires a second factor: a stolen password is enough to approve batches or manage users",
          "on the dashboard, under Settings → Users → Second factor, select approver and admin",
        ),
    ...lookAlikesAmong(users).map(([one, other]) =>
      warning(
        "users",
        `${said(one)} and ${said(other)} have names or e-mail addresses that look the same`,
        "check that both are real people, and disable the account that is not needed",
      ),
    ),
  ];
}

const SECOND_FACTOR = "second factor";
