import type { PayoutRow, Tables } from "#proof/simulation/ledger/tables.ts";

/** Returns the state of a payout; for a resolved one, the state with the same result. */
export function resultOf({ state, reason }: PayoutRow): string {
  if (state !== "resolved") return state;
  return reason?.startsWith("resolved_arrived:") ? "settled" : "declined";
}

/** Checks that payouts are resolved only by a line of the current statement. */
export class ResolutionChecker {
  readonly #checked = new Set<string>();

  /**
   * Returns why the statement does not prove the result of a payout that was just resolved. Null:
   * it does, the payout is not resolved, or this was checked before.
   */
  whyUnlisted(payout: PayoutRow, { listed }: Tables): string | null {
    const { order, seq, state } = payout;
    if (state !== "resolved") return null;
    const code = order.transactionCode;
    if (this.#checked.has(`${code} ${seq}`)) return null;
    this.#checked.add(`${code} ${seq}`);
    const lines = (listed.get(code) ?? []).map(({ status }) => status);
    const proofs = resultOf(payout) === "settled" ? ["completed"] : ["failed", "returned"];
    if (lines.some((status) => proofs.includes(status))) return null;
    return `${code} is resolved, but the statement lists ${lines.join(" and ") || "nothing"}`;
  }
}
