import type { Checker } from "./checker.ts";
import type { File, Scenario } from "./scenario.ts";
import type { MemoryLedger } from "#proof/simulation/ledger/connection.ts";
import type { LanePauseRow, PayoutRow, Tables } from "#proof/simulation/ledger/tables.ts";

const EVERY = "*";

/** Guarantees of the circuit breakers, observed from outside: shares no rule with the product. */
export class CircuitBreakerChecker {
  readonly #memory: MemoryLedger;
  readonly #tables: Tables;
  readonly #checker: Checker;
  readonly #inDoubtMax: number;
  readonly #files: readonly File[];
  #seen = 0;
  /** The payouts sent so far, as "lane batch", and those sent before a pause began. */
  readonly #begun = new Set<string>();
  readonly #begunAt = new WeakMap<LanePauseRow, ReadonlySet<string>>();

  constructor(memory: MemoryLedger, checker: Checker, { circuitBreakers, files }: Scenario) {
    this.#memory = memory;
    this.#tables = memory.tables;
    this.#checker = checker;
    this.#inDoubtMax = Number(circuitBreakers.get("in_doubt_count") ?? Infinity);
    this.#files = files;
  }

  /** Checks what was sent in each step of the simulation. */
  check(): void {
    const { journal, lanePauses } = this.#tables;
    for (const pause of lanePauses.values()) {
      if (!this.#begunAt.has(pause)) this.#begunAt.set(pause, new Set(this.#begun));
    }
    for (; this.#seen < journal.length; this.#seen += 1) {
      const payout = journal[this.#seen] as PayoutRow;
      const { from, to } = payout.transitions.at(-1) ?? {};
      if (from !== "approved" || to !== "submitting") continue;
      this.#sends(payout);
      this.#passesPause(payout);
      for (const name of [EVERY, payout.lane]) this.#begun.add(`${name} ${payout.batchId}`);
      this.#passesCanary(payout);
    }
  }

  /** Whether the first payouts of the file have settled, or a person has released the rest. */
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

  /**
   * Whether a person has paused the lane, or every lane; a drain allows batches that had already
   * sent something.
   */
  #passesPause({ batchId, lane, order, lastSentMs }: PayoutRow): void {
    // By the ledger's clock at the time of the claim, which may have been set since.
    const sentMs = lastSentMs ?? this.#memory.nowMs();
    for (const name of [EVERY, lane]) {
      const pause = this.#tables.lanePauses.get(name);
      if (!pause || (pause.untilMs !== null && pause.untilMs <= sentMs)) continue;
      if (pause.finishing !== null && this.#begunAt.get(pause)?.has(`${name} ${batchId}`)) continue;
      this.#checker.violation ??= {
        invariant: "I13",
        what: `${order.transactionCode} is sent while ${name} is paused`,
      };
    }
  }

  #sends({ lane, order }: PayoutRow): void {
    let inDoubt = 0;
    for (const { state, payouts } of this.#tables.batches.values()) {
      if (state !== "approved") continue;
      for (const row of payouts.get(lane) ?? []) inDoubt += Number(row.state === "in_doubt");
    }
    if (inDoubt <= this.#inDoubtMax) return;
    this.#checker.violation ??= {
      invariant: "I13",
      what: `${order.transactionCode} is sent with ${inDoubt} in doubt in ${lane}`,
    };
  }
}
