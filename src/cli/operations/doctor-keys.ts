import { type Finding, warning } from "#cli/operations/doctor-finding.ts";
import type { OpenLedger } from "#app/open-ledger.ts";

/** Finds active API keys with rights that no longer apply, because their creator has lost them. */
export async function checkApiKeys(
  { database }: Pick<OpenLedger, "database">,
  now: Date,
): Promise<Finding[]> {
  const { listApiKeys } = await import("#ledger/people/api-keys.ts");
  const { scopesExceeding } = await import("#people/roles.ts");
  const keys = await listApiKeys(database);
  return keys.flatMap((key) => {
    const works = !key.revokedAt && !key.isMakerDisabled && key.isConfirmed && key.expiresAt > now;
    const lost = works ? scopesExceeding(key.scopes, key.makerRoles) : [];
    if (lost.length === 0) return [];
    const found = `the API key ${key.name} (${key.shown}…) has lost permissions: ${lost.join(", ")}. Its creator, ${key.makerName}, no longer has them`;
    const advice =
      "ask a user who has these permissions to create a new key under Settings → API keys and revoke this one";
    return [warning("API key", found, advice)];
  });
}
