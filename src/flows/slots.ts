interface Waiting {
  readonly wish: number;
  readonly rank: number;
  readonly give: (count: number) => void;
}

/** The rank of questions about what was sent: before all that is sent. */
export const QUESTION = -1;

/**
 * What questions may hold of the slots, and never all but where there is one: a gateway that does not answer them holds
 * each until its timeout, and nothing would be sent any more.
 */
const ASKING_SHARE = 0.75;

/** One in so many goes to who has waited longest, whatever its rank: what goes first must not keep others out for good. */
const IN_TURN = 4;

/** A counting semaphore: whoever waits gets what has become free, the lower rank first, in turn within a rank. */
export class Slots {
  #free: number;
  #asking = 0;
  readonly #size: number;
  readonly #askingMax: number;
  readonly #waiting: Waiting[] = [];
  #served = 0;
  #onWire = 0;

  constructor(size: number) {
    this.#free = size;
    this.#size = size;
    this.#askingMax = Math.max(1, Math.floor(size * ASKING_SHARE));
  }

  get inUse(): number {
    return this.#size - this.#free;
  }

  /** Waits until at least one slot is free and takes up to `wish` of them. They are given back with the same rank. */
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

  give(count: number, rank = 0): void {
    this.#free += count;
    if (rank === QUESTION) this.#asking -= count;
    this.#serve();
  }

  #serve(): void {
    while (this.#free > 0) {
      const next = this.#next();
      if (!next) return;
      const isQuestion = next.rank === QUESTION;
      const count = Math.min(next.wish, this.#free, isQuestion ? this.#askingLeft : this.#size);
      this.#free -= count;
      if (isQuestion) this.#asking += count;
      next.give(count);
    }
  }

  get #askingLeft(): number {
    return this.#askingMax - this.#asking;
  }

  #next(): Waiting | undefined {
    const able = this.#waiting.filter(({ rank }) => rank !== QUESTION || this.#askingLeft > 0);
    if (able.length === 0) return undefined;
    this.#served += 1;
    const inTurn = this.#served % IN_TURN === 0;
    const first = Math.min(...able.map(({ rank }) => rank));
    const next = inTurn ? able[0] : able.find(({ rank }) => rank === first);
    if (next) this.#waiting.splice(this.#waiting.indexOf(next), 1);
    return next;
  }
}

/** Work with one slot that may put something on the wire. */
export const withSlot = <T>(
  { slots }: { readonly slots: Slots },
  work: () => Promise<T>,
): Promise<T> => slots.with(() => slots.onWire(work));
