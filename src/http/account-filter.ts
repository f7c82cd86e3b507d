import { Problem } from "#http/problems.ts";
import type { Sealer } from "#ledger/sealed.ts";

const PLACE = "account filter";

/** An account as it may stand in an address: browsers, proxies and their logs keep those. */
export const sealAccount = (sealer: Sealer, account: string): string =>
  sealer.seal(account, PLACE).toString("base64url");

/** @throws Problem when it was not sealed here: an account in full has no place in an address. */
export function openAccount(sealer: Sealer, sealed: string): string {
  try {
    return sealer.open(Buffer.from(sealed, "base64url"), PLACE);
  } catch {
    const message = "not an account as POST /api/account-filters answers it";
    throw new Problem("invalid_request", { places: [{ place: "query.account", message }] });
  }
}
