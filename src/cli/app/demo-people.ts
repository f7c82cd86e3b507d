import { type Clock } from "#base/clock.ts";
import { hashPassword } from "#flows/people/password-hash.ts";
import { newToken } from "#base/ids.ts";
import type { Database } from "#ledger/store/database.ts";
import { readFactorRoles, writeFactorRoles } from "#ledger/people/second-factor-policy.ts";
import { findAccount, insertUser, setPassword } from "#ledger/people/users.ts";
import type { Role } from "#people/roles.ts";
import { Secret } from "#base/secret.ts";

/**
 * An uploader cannot approve their own batch. Two users are admins, so each can confirm the other's
 * changes. The second approver confirms the decisions that the checker proposes.
 */
const PEOPLE: readonly { email: string; name: string; roles: readonly Role[] }[] = [
  { email: "priya.raman@demo.example", name: "Priya Raman", roles: ["uploader", "admin"] },
  {
    email: "chen.wei@demo.example",
    name: "Chen Wei",
    roles: ["approver", "operator", "auditor", "admin"],
  },
  { email: "lena.fischer@demo.example", name: "Lena Fischer", roles: ["approver"] },
];

export interface DemoPerson {
  readonly userId: string;
  readonly name: string;
  readonly email: string;
  readonly roles: readonly Role[];
  readonly password: Secret;
}

const PASSWORD_LENGTH = 16;

/**
 * Returns the users of the demo ledger, with new passwords at every start, which are shown only on
 * this terminal.
 */
export async function demoPeople(database: Database, clock: Clock): Promise<DemoPerson[]> {
  await dropFactorPolicy(database, clock);
  const people: DemoPerson[] = [];
  for (const { email, name, roles } of PEOPLE) {
    const known = await findAccount(database, { email });
    const at = new Date(clock.nowMs());
    const userId = known?.id ?? (await insertUser(database, { email, name, roles, at }));
    const password = new Secret(newToken().slice(0, PASSWORD_LENGTH));
    await setPassword(database, userId, await hashPassword(password.reveal()));
    people.push({ userId, name, email, roles, password });
  }
  return people;
}

/** The demo's links sign in directly, so an authenticator would protect nothing. */
async function dropFactorPolicy(database: Database, clock: Clock): Promise<void> {
  if ((await readFactorRoles(database)).length === 0) return;
  const said = { actor: "cli:demo", at: new Date(clock.nowMs()) };
  await database.transaction().execute((transaction) => writeFactorRoles(transaction, [], said));
}

/**
 * Returns a link that signs in directly. The dashboard accepts it only in a simulation. The part
 * after the # is never sent to the server as a part of the address.
 */
export const enterLink = (url: string, { email, password }: DemoPerson): string =>
  `${url}/enter#${new URLSearchParams({ email, password: password.reveal() }).toString()}`;
