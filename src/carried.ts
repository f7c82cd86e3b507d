import type { Merchant } from "#gateway/keyring.ts";
import type { Carries } from "#payout/layout-limits.ts";

interface Written {
  readonly GATEWAY_PAYOUT_LAYOUT: "name=value" | "json";
  readonly GATEWAY_ESCAPING: "none" | "percent";
}

/** What a payout can hold in the layout of the settings. */
export const carriedBy = ({ GATEWAY_PAYOUT_LAYOUT, GATEWAY_ESCAPING }: Written): Carries =>
  GATEWAY_PAYOUT_LAYOUT === "json" || GATEWAY_ESCAPING === "percent" ? "any" : "raw";

/** What payouts of each currency can hold, where its merchant has a layout of its own. */
export const carriedByMerchants = (
  { GATEWAY_ESCAPING }: Written,
  merchants: readonly Merchant[] | null,
): ReadonlyMap<string, Carries> =>
  new Map(
    (merchants ?? []).flatMap(({ currencies, payoutLayout }) => {
      if (!payoutLayout) return [];
      const carries = carriedBy({ GATEWAY_PAYOUT_LAYOUT: payoutLayout, GATEWAY_ESCAPING });
      return currencies.map((currency) => [currency, carries] as const);
    }),
  );
