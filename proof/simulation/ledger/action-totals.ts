import type { LeftPayouts, PayoutShare } from "#ledger/payout/action/actions.ts";
import type { LeftReason } from "#payout/action/payout-action.ts";
import type { PayoutRow, Tables } from "./tables.ts";

/** @throws Error if there is no such payout. */
export function payoutOf(tables: Tables, id: number): PayoutRow {
  const payout = tables.payouts[id - 1];
  if (!payout) throw new Error(`there is no payout ${id}`);
  return payout;
}

/** Counts payouts, and adds up their amounts by currency. */
export function shareOf(payouts: readonly PayoutRow[]): PayoutShare {
  const groups = Map.groupBy(payouts, ({ order }) => order.money.currency);
  const totals = [...groups].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return {
    count: payouts.length,
    totals: totals.map(([, same]) => ({
      count: same.length,
      sum: same
        .map(({ order }) => order.money)
        .reduce((sum, money) => ({ ...sum, minor: sum.minor + money.minor })),
    })),
  };
}

/** Counts the reasons. */
export function leftOf(reasons: readonly (LeftReason | null)[]): LeftPayouts[] {
  const left = reasons.filter((reason) => reason !== null);
  return [...Map.groupBy(left, (reason) => reason)].map(([reason, same]) => ({
    reason,
    count: same.length,
  }));
}
