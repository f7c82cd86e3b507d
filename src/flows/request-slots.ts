interface Waiting {
  readonly wish: number;
  readonly rank: number;
  readonly give: (count: number) => void;
}

/** The rank of status queries: before all submissions. */
export const QUESTION = -1;

/**
 * Maximum share of the slots for status queries; never all slots, unless there is only one. A
 * gateway that does not answer status queries holds each slot until the timeout, and nothing could
 * be sent.
 */
const ASKING_SHARE = 0.75;

/**
 * One in this many grants goes to the longest waiting call, whatever its rank, so that
 * high-priority work cannot block other work forever.
 */
const IN_TURN = 4;

/**
 * A counting semaphore. Free slots go to the lowest rank first, and within a rank in the order of
 * arrival.
 */
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

  /**
   * Waits until at least one slot is free and takes up to `wish` slots. Return them with the same
   * rank.
   */
  take(wish: number, rank = 0): Promise<number> {
    return new Promise((give) => {
      this.#waiting.push({ wish, rank, give });
      this.#serve();
    });
  }

  /** True if a request may be in flight, or its outcome is not yet recorded. */
  get isOnWire(): boolean {
    return this.#onWire > 0;
  }

  /**
   * Runs work that may send a request, and counts it as in flight until its outcome is recorded.
   */
  async onWire<T>(work: () => Promise<T>): Promise<T> {
    this.#onWire += 1;
    try {
      return await work();
    } finally {
      this.#onWire -= 1;
    }
  }

  /** Waits for one slot, runs the work, and returns the slot. */
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

/** Runs work that may send a request, with one slot. */
export const withSlot = <T>(
  { slots }: { readonly slots: Slots },
  work: () => Promise<T>,
): Promise<T> => slots.with(() => slots.onWire(work));
