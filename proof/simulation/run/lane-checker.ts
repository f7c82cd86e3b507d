import type { RequestFate } from "#proof/simulation/gateway/gateway.ts";
import type { PayoutRow, Tables } from "#proof/simulation/ledger/tables.ts";
import type { SimProcess } from "#proof/simulation/world/process.ts";
import type { World } from "#proof/simulation/world/world.ts";
import type { Faults } from "#proof/simulation/run/fault-injector.ts";

/** Longer than every pause. */
const STOPPED_WITHIN_MS = 180_000;
const WINDOW_MS = 5_000;
const SECOND_MS = 1_000;

/** Stops and limits of a lane (I13), observed from outside: shares no rule with the product. */
export class LaneChecker {
  readonly #tables: Tables;
  readonly #world: World;
  readonly #faults: Pick<Faults, "isLedgerSound" | "isClockTrue">;
  readonly #fail: (what: string) => void;
  readonly #claims = new Map<string, { readonly limit: string; readonly atMs: number[] }>();

  constructor(
    tables: Tables,
    world: World,
    sky: Pick<Faults, "isLedgerSound" | "isClockTrue">,
    fail: (what: string) => void,
  ) {
    this.#tables = tables;
    this.#world = world;
    this.#faults = sky;
    this.#fail = fail;
  }

  /** An attempt is recorded. */
  recordClaim({ lane, order }: PayoutRow): void {
    const limits = this.#tables.laneRates.get(lane);
    if (!limits) return;
    const { rate, concurrency, setMs } = limits;
    const isSent = (payout: PayoutRow) => payout.lane === lane && payout.state === "submitting";
    const atOnce = concurrency === null ? 0 : this.#tables.payouts.filter(isSent).length;
    if (concurrency !== null && atOnce > concurrency) {
      this.#fail(
        `${lane} has ${atOnce} in flight with ${order.transactionCode}, ${concurrency} are allowed`,
      );
    }
    // After a clock was set, the times of the turns are wrong.
    if (rate === null || !this.#faults.isClockTrue()) return;
    const limit = `${rate} since ${setMs}`;
    const { nowMs } = this.#world;
    const before = this.#claims.get(lane);
    const known = before?.limit === limit ? before.atMs : [];
    const atMs = [...known.filter((ms) => nowMs - ms < WINDOW_MS), nowMs];
    this.#claims.set(lane, { limit, atMs });
    // After an idle time, one second's allowance is sent at once.
    const most = (rate * WINDOW_MS) / SECOND_MS + Math.max(rate, 1) + 1;
    if (atMs.length > most) {
      this.#fail(
        `${lane} has sent ${atMs.length} in ${WINDOW_MS} ms with a limit of ${rate} per second`,
      );
    }
  }

  /** A process has received the answer to a payout. */
  recordAnswer(proc: SimProcess, code: string, { name, how }: RequestFate): void {
    const lane = this.#tables.byCode.get(code)?.lane;
    if (!how.isSetupError || lane === undefined) return;
    const before = this.#tables.lanes.get(lane);
    if (before && before.reason !== null) return;
    const { updatedMs } = before ?? {};
    this.#world.after(STOPPED_WITHIN_MS, () => {
      const now = this.#tables.lanes.get(lane);
      const goesOn = !now || (now.reason === null && now.updatedMs === updatedMs);
      if (goesOn && proc.isAlive && this.#faults.isLedgerSound()) {
        this.#fail(`${lane} continues although ${code} was answered ${name}`);
      }
    });
  }
}
