import type { Checker } from "./checker.ts";
import type { PayoutRow, Tables } from "./ledger/tables.ts";

/** What the brakes promise, seen from outside: it shares no rule with the product. */
export class BrakeChecker {
  readonly #tables: Tables;
  readonly #checker: Checker;
  readonly #doubtMax: number;
  #seen = 0;

  constructor(tables: Tables, checker: Checker, doubtMax: number) {
    this.#tables = tables;
    this.#checker = checker;
    this.#doubtMax = doubtMax;
  }

  /** After each step of the world: what was sent in it. */
  look(): void {
    const { journal } = this.#tables;
    for (; this.#seen < journal.length; this.#seen += 1) {
      const payout = journal[this.#seen] as PayoutRow;
      const { from, to } = payout.transitions.at(-1) ?? {};
      if (from === "approved" && to === "submitting") this.#sends(payout);
    }
  }

  #sends({ lane, order }: PayoutRow): void {
    const isOnTrial = (this.#tables.lanes.get(lane)?.reason ?? null) !== null;
    const inDoubt = [...this.#tables.batches.values()]
      .filter(({ state }) => state === "approved")
      .flatMap(({ payouts }) => payouts.get(lane) ?? [])
      .filter(({ state }) => state === "in_doubt").length;
    if (isOnTrial || inDoubt <= this.#doubtMax) return;
    this.#checker.violation ??= {
      invariant: "I13",
      what: `${order.transactionCode} is sent with ${inDoubt} in doubt in ${lane}`,
    };
  }
}
