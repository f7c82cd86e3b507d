import type { PayDeps } from "#flows/deps.ts";
import { laneParts } from "#payout/payout.ts";

export type SentDefaults = Pick<PayDeps, "callbackUrlOf" | "keyring">;

/**
 * Returns the values that payrun sends with every payout of a lane whose row has no values of its
 * own.
 */
export function sentByDefault(
  lane: string,
  { keyring, callbackUrlOf }: SentDefaults,
): {
  readonly payoutCode: string | null;
  readonly callbackUrl: string | null;
  /** The name of the merchant. */
  readonly payer: string | null;
} {
  const { merchantCode } = laneParts(lane);
  const merchant = keyring.all.find((each) => each.merchantCode === merchantCode);
  return {
    payoutCode: merchant?.payoutCode ?? null,
    callbackUrl: callbackUrlOf(merchantCode),
    payer: merchant?.displayName ?? null,
  };
}
