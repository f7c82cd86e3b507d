import { audited } from "#flows/people/audited.ts";
import type { PeopleDeps } from "#flows/people/deps.ts";
import { type NewKey, insertApiKey, revokeApiKey } from "#ledger/people/api-keys.ts";
import type { Secret } from "#secret.ts";

/** A key for a program. Its text is shown once; the ledger keeps a digest. */
export const createKey = (
  key: Omit<NewKey, "at">,
  actor: string,
  deps: PeopleDeps,
): Promise<{ readonly id: string; readonly token: Secret }> =>
  audited(deps, async (transaction, at) => {
    const made = await insertApiKey(transaction, { ...key, at });
    const facts = { name: key.name, scopes: key.scopes, expires_at: key.expiresAt.toISOString() };
    return { value: made, line: { actor, action: "key_create", object: made.id, facts } };
  });

/** False: there is no such key that still counts. */
export const revokeKey = (id: string, actor: string, deps: PeopleDeps): Promise<boolean> =>
  audited(deps, async (transaction, at) => {
    const value = await revokeApiKey(transaction, id, at);
    const line = value ? { actor, action: "key_revoke", object: id, facts: {} } : null;
    return { value, line };
  });
