import type { Clock } from "#base/clock.ts";
import type { World } from "./world.ts";

/** Destination of a process's call. */
export type Place = "ledger" | "queue" | "gateway";

/** Fate of one call on its way. */
export interface Fate {
  /** Time until it takes effect. */
  readonly delayMs: number;
  /** Time from there until the caller gets the result. */
  readonly answerMs: number;
  readonly strike: Strike | null;
}

export interface Strike {
  /** The side of the effect. An error after it is a commit that was made but reported as failed. */
  readonly when: "before" | "after";
  readonly how: "crash" | "pause" | "error";
  readonly pauseMs: number;
}

/** Decides the fate of every call: random or planned. */
export interface CallFates {
  of(life: SimProcess, place: Place, what: string): Fate;
}

/** The wall clock at the start of every run. */
export const EPOCH_MS = Date.UTC(2026, 10, 20, 8);

/**
 * One process from its start to its crash. It receives results only while it is alive and not
 * paused.
 */
export class SimProcess {
  readonly world: World;
  readonly name: string;
  readonly #fates: CallFates;
  readonly #onCrash: (life: SimProcess) => void;
  #isAlive = true;
  #pausedUntilMs = 0;
  /**
   * The offset of its wall clock, and how long its monotonic clock stood still while the machine
   * slept.
   */
  wallOffsetMs = 0;
  #sleptMs = 0;
  /** Grows while nothing happens: a sleep may always take longer than requested. */
  #stretch = 1;
  #seenActivity = -1;

  constructor(world: World, name: string, fates: CallFates, onCrash: (life: SimProcess) => void) {
    this.world = world;
    this.name = name;
    this.#fates = fates;
    this.#onCrash = onCrash;
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  get isPaused(): boolean {
    return this.#pausedUntilMs > this.world.nowMs;
  }

  get pausedUntilMs(): number {
    return this.#pausedUntilMs;
  }

  readonly clock: Clock = {
    nowMs: () => EPOCH_MS + Math.floor(this.world.nowMs + this.wallOffsetMs),
    monotonicMs: () => this.world.nowMs - this.#sleptMs,
    sleep: (delayMs) => {
      const { activity } = this.world;
      this.#stretch =
        activity === this.#seenActivity ? Math.min(this.#stretch * 2, STRETCH_MAX) : 1;
      this.#seenActivity = activity;
      return this.wait(delayMs * this.#stretch);
    },
  };

  wait(delayMs: number): Promise<void> {
    return new Promise((resolve) => this.world.after(delayMs, () => this.deliver(resolve)));
  }

  crash(why: string): void {
    if (!this.#isAlive) return;
    this.world.log(() => `${this.name} crashes ${why}`);
    this.#isAlive = false;
    this.#onCrash(this);
  }

  /** @param asleep the whole machine: its monotonic clock stands still as well. */
  pause(pauseMs: number, asleep: boolean): void {
    this.world.log(
      () => `${this.name} ${asleep ? "sleeps" : "is frozen"} for ${(pauseMs / 1_000).toFixed(1)} s`,
    );
    this.#pausedUntilMs = Math.max(this.#pausedUntilMs, this.world.nowMs + pauseMs);
    if (asleep) this.#sleptMs += pauseMs;
  }

  /** Delivers a result to the process: now, after its pause, or never. */
  deliver(what: () => void): void {
    if (!this.#isAlive) return;
    if (this.isPaused) {
      this.world.after(this.#pausedUntilMs - this.world.nowMs, () => this.deliver(what));
    } else what();
  }

  /** Strikes the process itself. True: it is dead. */
  strike({ how, pauseMs }: Strike, where: string): boolean {
    if (how === "crash") this.crash(where);
    if (how === "pause") this.pause(pauseMs, this.world.random.isTrue(0.3));
    return how === "crash";
  }

  fateOf(place: Place, what: string): Fate {
    return this.#fates.of(this, place, what);
  }

  /** Calls something outside the process: `effect` happens there, and its result returns. */
  call<T>(place: Place, what: string, effect: () => T, failure: () => Error): Promise<T> {
    return new Promise((resolve, reject) => {
      const { delayMs, answerMs, strike } = this.fateOf(place, what);
      const early = strike?.when === "before" ? strike : null;
      const late = strike?.when === "after" ? strike : null;
      if (early && this.strike(early, `before ${what}`)) return;
      const waitMs = this.isPaused ? this.#pausedUntilMs - this.world.nowMs : 0;
      this.world.after(waitMs + delayMs, () => {
        // The calls in transit of a dying process may or may not have arrived.
        if (!this.#isAlive && this.world.random.isTrue(0.5)) return;
        if (early?.how === "error") {
          this.world.log(() => `${this.name}: ${what} fails`);
          return this.deliver(() => reject(failure()));
        }
        let settle: () => void;
        try {
          const result = effect();
          settle = () => resolve(result);
          this.world.log(() => `${this.name}: ${what} ${brief(result)}`);
        } catch (error) {
          settle = () => reject(error);
          this.world.log(() => `${this.name}: ${what} is refused: ${String(error)}`);
        }
        if (late && this.strike(late, `after ${what}`)) return;
        if (late?.how === "error") {
          this.world.log(() => `${this.name} gets an error from ${what}`);
          settle = () => reject(failure());
        }
        if (answerMs > 0) this.world.after(answerMs, () => this.deliver(settle));
        else this.deliver(settle);
      });
    });
  }
}

const STRETCH_MAX = 128;
const BRIEF_CHARS = 160;

/** A result for the event log, shortened. */
function brief(result: unknown): string {
  if (result === undefined) return "";
  if (Array.isArray(result) && result.length > 4) return `→ ${result.length}`;
  const text = JSON.stringify(result, (_name, value: unknown) =>
    typeof value === "bigint" ? value.toString() : value,
  );
  return `→ ${(text ?? "").slice(0, BRIEF_CHARS)}`;
}
