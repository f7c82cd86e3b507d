import type { Sealer } from "#ledger/store/sealing.ts";
import type { PayoutDetails } from "#payout/payout.ts";

/** Stored for a row without a user ID. Null is stored for rows from before migration 0089. */
export const NO_USER_KEY = "0";

/** Returns the keyed digest of the user ID, to compare people, or NO_USER_KEY. */
export const userKeyOf = (sealer: Sealer, { user_id: userId }: PayoutDetails): string =>
  userId ? sealer.digest(`user ${userId}`).readBigInt64BE().toString() : NO_USER_KEY;
