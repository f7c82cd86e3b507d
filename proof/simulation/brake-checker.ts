import type { Checker } from "./checker.ts";
import type { File, Scenario } from "./scenario.ts";
import type { PayoutRow, Tables } from "./ledger/tables.ts";

/** What the brakes promise, seen from outside: it shares no rule with the product. */
export class BrakeChecker {
  readonly #tables: Tables;
  readonly #checker: Checker;
  readonly #doubtMax: number;
  readonly #files: readonly File[];
  #seen = 0;

  constructor(tables: Tables, checker: Checker, { brakes, files }: Scenario) {
    this.#tables = tables;
    this.#checker = checker;
    this.#doubtMax = Number(brakes.get("doubt_count") ?? Infinity);
    this.#files = files;
  }

  /** After each step of the world: what was sent in it. */
  look(): void {
    const { journal } = this.#tables;
    for (; this.#seen < journal.length; this.#seen += 1) {
      const payout = journal[this.#seen] as PayoutRow;
      const { from, to } = payout.transitions.at(-1) ?? {};
      if (from !== "approved" || to !== "submitting") continue;
      this.#sends(payout);
      this.#passesCanary(payout);
    }
  }

  /** The first payouts of the file have settled, or a person has released the rest. */
  #passesCanary({ batchId, lane, line, order }: PayoutRow): void {
    const batch = this.#tables.batches.get(batchId);
    const size = this.#files.find(({ name }) => name === batch?.fileName)?.canary ?? 0;
    const rows = batch?.payouts.get(lane) ?? [];
    const first = rows.slice(0, size);
    if (size === 0 || size >= rows.length || first.some((row) => row.line === line)) return;
    const hasSettled = ({ transitions }: PayoutRow) =>
      transitions.some(({ to }) => to === "settled");
    const isReleased = this.#tables.audit.some(
      ({ action, object, actor }) =>
        action === "release_canary" && object === batchId && actor === "operator",
    );
    if (isReleased || first.every(hasSettled)) return;
    this.#checker.violation ??= {
      invariant: "I7",
      what: `${order.transactionCode} is sent before the canary of ${batchId} in ${lane} has settled`,
    };
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
