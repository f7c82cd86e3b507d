import type { Merchant } from "#gateway/wire/keyring.ts";
import type { Carries } from "#payout/rules/layout-limits.ts";

interface LayoutConfig {
  readonly GATEWAY_PAYOUT_LAYOUT: "name=value" | "json";
  readonly GATEWAY_ESCAPING: "none" | "percent";
}

/** Returns which characters a payout can carry in the layout of the settings. */
export const layoutCarries = ({
  GATEWAY_PAYOUT_LAYOUT,
  GATEWAY_ESCAPING,
}: LayoutConfig): Carries =>
  GATEWAY_PAYOUT_LAYOUT === "json" || GATEWAY_ESCAPING === "percent" ? "any" : "raw";

/**
 * Returns which characters payouts can carry, for each currency whose merchant has its own layout.
 */
export const merchantLayoutsCarry = (
  { GATEWAY_ESCAPING }: LayoutConfig,
  merchants: readonly Merchant[] | null,
): ReadonlyMap<string, Carries> =>
  new Map(
    (merchants ?? []).flatMap(({ currencies, payoutLayout }) => {
      if (!payoutLayout) return [];
      const carries = layoutCarries({ GATEWAY_PAYOUT_LAYOUT: payoutLayout, GATEWAY_ESCAPING });
      return currencies.map((currency) => [currency, carries] as const);
    }),
  );
