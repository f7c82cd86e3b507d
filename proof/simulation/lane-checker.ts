import type { Mood } from "./gateway/gateway.ts";
import type { PayoutRow, Tables } from "./ledger/tables.ts";
import type { Life } from "./life.ts";
import type { Sky } from "./run.ts";
import type { Scenario } from "./scenario.ts";
import type { World } from "./world.ts";

/** Longer than every pause. */
const STOPPED_WITHIN_MS = 180_000;
/** What is further apart is not one silence: marks are forgotten, and the ledger's clock may have been set. */
const APART_MS = 200_000;
const WINDOW_MS = 5_000;
const SECOND_MS = 1_000;

/** Sends in a row that nobody answered. */
interface Silence {
  readonly lives: Set<Life>;
  /** Of the lane when it began: another one, and the lane was stopped since. */
  readonly updatedMs: number | undefined;
  readonly lastMs: number;
  readonly sends: number;
}

/** What stops and slows a lane (I13), seen from outside: it shares no rule with the product. */
export class LaneChecker {
  readonly #tables: Tables;
  readonly #world: World;
  readonly #sky: Pick<Sky, "isLedgerSound" | "isClockTrue">;
  readonly #fail: (what: string) => void;
  readonly #silentMax: number;
  readonly #unknownMax: number;
  readonly #claims = new Map<string, { readonly limit: string; readonly atMs: number[] }>();
  readonly #silences = new Map<string, Silence>();
  readonly #unknown = new Map<string, Life[]>();

  constructor(
    tables: Tables,
    world: World,
    { brakes, workers, slots }: Scenario,
    sky: Pick<Sky, "isLedgerSound" | "isClockTrue">,
    fail: (what: string) => void,
  ) {
    this.#tables = tables;
    this.#world = world;
    this.#sky = sky;
    this.#fail = fail;
    // What another process heard before may be told to the ledger in the middle of it.
    this.#silentMax = Number(brakes.get("silence_sends") ?? Infinity) * (workers + 1) + slots;
    this.#unknownMax = Number(brakes.get("unread_answers") ?? Infinity);
  }

  /** An attempt is on record. */
  claimed({ lane, order }: PayoutRow): void {
    const limits = this.#tables.lanePace.get(lane);
    if (!limits) return;
    const { rate, concurrency, setMs } = limits;
    const isSent = (payout: PayoutRow) => payout.lane === lane && payout.state === "submitting";
    const atOnce = concurrency === null ? 0 : this.#tables.payouts.filter(isSent).length;
    if (concurrency !== null && atOnce > concurrency) {
      this.#fail(
        `${lane} has ${atOnce} under way with ${order.transactionCode}: ${concurrency} may`,
      );
    }
    // A clock that is set gives turns that are none.
    if (rate === null || !this.#sky.isClockTrue()) return;
    const limit = `${rate} since ${setMs}`;
    const { nowMs } = this.#world;
    const before = this.#claims.get(lane);
    const known = before?.limit === limit ? before.atMs : [];
    const atMs = [...known.filter((ms) => nowMs - ms < WINDOW_MS), nowMs];
    this.#claims.set(lane, { limit, atMs });
    // After a rest a second's worth goes out at once.
    const most = (rate * WINDOW_MS) / SECOND_MS + Math.max(rate, 1) + 1;
    if (atMs.length > most) {
      this.#fail(`${lane} has sent ${atMs.length} in ${WINDOW_MS} ms with ${rate} a second`);
    }
  }

  /** A process has got the answer to a payout, or knows that none will come. */
  hears(life: Life, code: string, { name, how }: Mood): void {
    const lane = this.#tables.byCode.get(code)?.lane;
    if (lane === undefined) return;
    if (how.blamesSetUp) this.#mustStop(lane, [life], `${code} was answered ${name}`);
    if (how.isUnknown) {
      const lives = [...(this.#unknown.get(lane) ?? []), life];
      this.#unknown.set(lane, lives);
      // Once somebody has looked at it, it stops nothing any more.
      if (lives.length === this.#unknownMax + 1) {
        this.#mustStop(lane, lives, `an unknown answer came ${lives.length} times`);
      }
    }
    const isSilent = how.says === "hang" || how.says === "reset" || how.slow !== undefined;
    this.#listens(lane, life, isSilent);
  }

  #listens(lane: string, life: Life, isSilent: boolean): void {
    const { nowMs } = this.#world;
    const row = this.#tables.lanes.get(lane);
    const isStopped = row !== undefined && row.reason !== null;
    if (!isSilent || isStopped) {
      this.#silences.delete(lane);
      return;
    }
    const before = this.#silences.get(lane);
    const goesOn =
      before && before.updatedMs === row?.updatedMs && nowMs - before.lastMs < APART_MS;
    const silence: Silence = {
      lives: (goesOn ? before.lives : new Set<Life>()).add(life),
      updatedMs: row?.updatedMs,
      lastMs: nowMs,
      sends: (goesOn ? before.sends : 0) + 1,
    };
    this.#silences.set(lane, silence);
    const { sends, lives } = silence;
    if (sends === this.#silentMax) {
      this.#mustStop(lane, [...lives], `${sends} sends in a row had no answer`);
    }
  }

  /** Whoever knows may be frozen for a while; one that has died may have told nobody. */
  #mustStop(lane: string, lives: readonly Life[], why: string): void {
    const before = this.#tables.lanes.get(lane);
    if (before && before.reason !== null) return;
    const { updatedMs } = before ?? {};
    this.#world.after(STOPPED_WITHIN_MS, () => {
      const now = this.#tables.lanes.get(lane);
      const goesOn = !now || (now.reason === null && now.updatedMs === updatedMs);
      const isKnown = lives.every(({ isAlive }) => isAlive) && this.#sky.isLedgerSound();
      if (goesOn && isKnown) this.#fail(`${lane} goes on although ${why}`);
    });
  }
}
