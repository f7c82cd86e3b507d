import { type Clock } from "#clock.ts";
import { hashPassword } from "#flows/people/hash.ts";
import { newToken } from "#ids.ts";
import type { Database } from "#ledger/database.ts";
import { findAccount, insertUser, setPassword } from "#ledger/people/users.ts";
import type { Role } from "#people/roles.ts";
import { Secret } from "#secret.ts";

/** Two people, because nobody approves what they brought. Between them they may see every page. */
const PAIR: readonly { email: string; name: string; roles: readonly Role[] }[] = [
  { email: "maker@demo.example", name: "Demo Maker", roles: ["uploader", "admin"] },
  {
    email: "checker@demo.example",
    name: "Demo Checker",
    roles: ["approver", "operator", "auditor"],
  },
];

export interface DemoPerson {
  readonly userId: string;
  readonly name: string;
  readonly email: string;
  readonly roles: readonly Role[];
  readonly password: Secret;
}

const PASSWORD_LENGTH = 16;

/** The pair of the demo's own ledger, with new passwords at every start: they stand nowhere but on this terminal. */
export async function demoPair(database: Database, clock: Clock): Promise<DemoPerson[]> {
  const people: DemoPerson[] = [];
  for (const { email, name, roles } of PAIR) {
    const known = await findAccount(database, { email });
    const at = new Date(clock.nowMs());
    const userId = known?.id ?? (await insertUser(database, { email, name, roles, at }));
    const password = new Secret(newToken().slice(0, PASSWORD_LENGTH));
    await setPassword(database, userId, await hashPassword(password.reveal()));
    people.push({ userId, name, email, roles, password });
  }
  return people;
}

/**
 * A link that signs in by itself; the dashboard takes it in a simulation alone. What stands behind the # is never sent
 * to the server as a part of the address.
 */
export const enterLink = (url: string, { email, password }: DemoPerson): string =>
  `${url}/enter#${new URLSearchParams({ email, password: password.reveal() }).toString()}`;
