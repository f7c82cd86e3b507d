/** Returns the number of payouts in these totals. */
export const payoutsIn = (totals: readonly { readonly payouts: number }[]): number =>
  totals.reduce((sum, { payouts }) => sum + payouts, 0);
