import type { PayDeps } from "#flows/deps.ts";
import type { Merchant } from "#gateway/wire/keyring.ts";
import { laneOf } from "#payout/payout.ts";

/**
 * Returns the merchant of a lane, if it is still configured. A payout belongs to the merchant for
 * which it was approved: another merchant's gateway account does not know its code, and would take
 * it a second time.
 */
export function merchantOf(lane: string, { keyring }: Pick<PayDeps, "keyring">): Merchant | null {
  const owns = ({ merchantCode, currencies }: Merchant) =>
    currencies.some((currency) => laneOf(merchantCode, currency) === lane);
  return keyring.all.find(owns) ?? null;
}

/** Stops a lane whose credentials are not configured. Its payouts are unchanged. */
export async function stopWithoutMerchant(
  lane: string,
  { ledger }: Pick<PayDeps, "ledger">,
): Promise<void> {
  await ledger.payout.stopLane(lane, {
    until: "person",
    reason: `no merchant is configured for ${lane}: its credentials are missing, or were replaced after the batch was approved`,
  });
}
