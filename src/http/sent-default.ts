import type { PayDeps } from "#flows/deps.ts";
import { laneParts } from "#payout/payout.ts";

export type SentDefaults = Pick<PayDeps, "callbackUrlOf" | "keyring">;

/** What payrun sends with every payout of a lane whose row says nothing else. */
export function sentByDefault(
  lane: string,
  { keyring, callbackUrlOf }: SentDefaults,
): { readonly payoutCode: string | null; readonly callbackUrl: string | null } {
  const { merchantCode } = laneParts(lane);
  const merchant = keyring.all.find((each) => each.merchantCode === merchantCode);
  return { payoutCode: merchant?.payoutCode ?? null, callbackUrl: callbackUrlOf(merchantCode) };
}
