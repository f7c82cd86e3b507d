import { Problem } from "#api/app/problems.ts";
import type { Sealer } from "#ledger/store/sealing.ts";

const PLACE = "account filter";

/**
 * Seals an account for use in an address. Browsers, proxies and their logs record addresses, so
 * they must not contain the account itself.
 */
export const sealAccount = (sealer: Sealer, account: string): string =>
  sealer.seal(account, PLACE).toString("base64url");

/**
 * Opens an account that was sealed for an address.
 *
 * @throws Problem if it was not sealed here: a full account number is not permitted in an address.
 */
export function openAccount(sealer: Sealer, sealed: string): string {
  try {
    return sealer.open(Buffer.from(sealed, "base64url"), PLACE);
  } catch {
    const message = "must be a filter from POST /api/account-filters";
    throw new Problem("invalid_request", { places: [{ place: "query.account", message }] });
  }
}
