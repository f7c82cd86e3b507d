interface Waiting {
  readonly wish: number;
  readonly rank: number;
  readonly give: (count: number) => void;
}

/** One in so many goes to who has waited longest, whatever its rank: what goes first must not keep others out for good. */
const IN_TURN = 4;

/** A counting semaphore: whoever waits gets what has become free, the lower rank first, in turn within a rank. */
export class Slots {
  #free: number;
  readonly #size: number;
  readonly #waiting: Waiting[] = [];
  #served = 0;
  #onWire = 0;

  constructor(size: number) {
    this.#free = size;
    this.#size = size;
  }

  get inUse(): number {
    return this.#size - this.#free;
  }

  /** Waits until at least one slot is free and takes up to `wish` of them. Questions have the first rank. */
  take(wish: number, rank = 0): Promise<number> {
    return new Promise((give) => {
      this.#waiting.push({ wish, rank, give });
      this.#serve();
    });
  }

  /** Whether something may be on the wire, or what became of it not recorded yet. */
  get isOnWire(): boolean {
    return this.#onWire > 0;
  }

  /** Work that may put something on the wire, until what became of it is recorded. */
  async onWire<T>(work: () => Promise<T>): Promise<T> {
    this.#onWire += 1;
    try {
      return await work();
    } finally {
      this.#onWire -= 1;
    }
  }

  /** Waits for one slot, works, and gives it back. */
  async with<T>(work: () => Promise<T>): Promise<T> {
    const taken = await this.take(1);
    try {
      return await work();
    } finally {
      this.give(taken);
    }
  }

  give(count: number): void {
    this.#free += count;
    this.#serve();
  }

  #serve(): void {
    while (this.#free > 0) {
      const next = this.#next();
      if (!next) return;
      const count = Math.min(next.wish, this.#free);
      this.#free -= count;
      next.give(count);
    }
  }

  #next(): Waiting | undefined {
    this.#served += 1;
    if (this.#served % IN_TURN === 0) return this.#waiting.shift();
    const first = Math.min(...this.#waiting.map(({ rank }) => rank));
    const at = this.#waiting.findIndex(({ rank }) => rank === first);
    return at < 0 ? undefined : this.#waiting.splice(at, 1)[0];
  }
}

/** Work with one slot that may put something on the wire. */
export const withSlot = <T>(
  { slots }: { readonly slots: Slots },
  work: () => Promise<T>,
): Promise<T> => slots.with(() => slots.onWire(work));
