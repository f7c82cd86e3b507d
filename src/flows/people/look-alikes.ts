import { type Named, looksAlike } from "#people/look-alikes.ts";
import type { LedgerSteps } from "#ledger/ledger.ts";

export interface LooksAlike {
  readonly code: "name_too_similar" | "email_too_similar";
  readonly detail: string;
}

/**
 * Finds a user whose name or e-mail address could be mistaken for that of a new user. Disabled
 * users count as well, because their records keep their names. Identical addresses are left to the
 * unique index. Call it while holding `lockUsers`.
 */
export async function findLookAlike(
  transaction: LedgerSteps,
  { name, email }: Named,
): Promise<LooksAlike | null> {
  const users = await transaction.people.everyName();
  const isSameEmail = (user: Named) => user.email.toLowerCase() === email.toLowerCase();
  if (users.some(isSameEmail)) return null;
  const byName = users.find((user) => looksAlike(user.name, name));
  if (byName) {
    const detail = `“${name}” is too similar to the name of the user ${byName.name} (${byName.email}). Enter a clearly different name, for example with a middle name or the department.`;
    return { code: "name_too_similar", detail };
  }
  const byEmail = users.find((user) => looksAlike(user.email, email));
  if (!byEmail) return null;
  const detail = `${email} is too similar to the address of the user ${byEmail.name} (${byEmail.email}). Check the spelling. If it belongs to another person, use a different address.`;
  return { code: "email_too_similar", detail };
}
