import { Random } from "./random.ts";

interface PlannedEvent {
  readonly atMs: number;
  /** Two events at the same time happen in the order in which they were planned. */
  readonly order: number;
  readonly run: () => void;
}

/**
 * Virtual time and all planned events. One event happens at a time, and its consequences run until
 * none are left; then the clock jumps to the next event.
 */
export class World {
  readonly random: Random;
  readonly #heap: PlannedEvent[] = [];
  readonly #tell: ((line: string) => void) | null;
  #order = 0;
  #nowMs = 0;
  /** Counts signs of activity: requests to the gateway, and operators' actions. */
  activity = 0;

  /** @param tell receives a line for each event. Null: no line is created. */
  constructor(seed: number, tell: ((line: string) => void) | null) {
    this.random = new Random(seed);
    this.#tell = tell;
  }

  /** Since the beginning of the run; never goes back. */
  get nowMs(): number {
    return this.#nowMs;
  }

  /** A line for the event log. A function, because most runs are never printed. */
  log(line: () => string): void {
    this.#tell?.(`${(this.#nowMs / 1_000).toFixed(3).padStart(10)} s  ${line()}`);
  }

  after(delayMs: number, run: () => void): void {
    const heap = this.#heap;
    const added: PlannedEvent = {
      atMs: this.#nowMs + Math.max(delayMs, 0),
      order: (this.#order += 1),
      run,
    };
    let at = heap.length;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = heap[parent] as PlannedEvent;
      if (!isBefore(added, above)) break;
      heap[at] = above;
      at = parent;
    }
    heap[at] = added;
  }

  /**
   * Runs events until `isExpired`, until none are left or until the time is up.
   *
   * @param look is called after each event.
   */
  async run(untilMs: number, isOver: () => boolean, look: () => void): Promise<void> {
    for (;;) {
      const next = this.#heap[0];
      if (!next || next.atMs > untilMs) break;
      this.#removeFirst();
      this.#nowMs = next.atMs;
      next.run();
      await settled();
      look();
      if (isOver()) return;
    }
    this.#nowMs = Math.max(this.#nowMs, untilMs);
  }

  #removeFirst(): void {
    const heap = this.#heap;
    const last = heap.pop() as PlannedEvent;
    if (heap.length === 0) return;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      const right = heap[child + 1];
      if (right && isBefore(right, heap[child] as PlannedEvent)) child += 1;
      const below = heap[child] as PlannedEvent;
      if (!isBefore(below, last)) break;
      heap[at] = below;
      at = child;
    }
    heap[at] = last;
  }
}

const isBefore = (one: PlannedEvent, other: PlannedEvent): boolean =>
  one.atMs < other.atMs || (one.atMs === other.atMs && one.order < other.order);

/** Lets every promise that can continue do so: Node runs a tick when no microtask is left. */
const settled = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve));
