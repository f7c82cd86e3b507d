interface Waiting {
  readonly wanted: number;
  readonly rank: number;
  readonly grant: (count: number) => void;
}

/** The rank of status queries: before all submissions. */
export const STATUS_QUERY_RANK = -1;

/**
 * Maximum share of the slots for status queries; never all slots, unless there is only one. A
 * gateway that does not answer status queries holds each slot until the timeout, and nothing could
 * be sent.
 */
const QUERY_SHARE = 0.75;

/**
 * One in this many grants goes to the longest waiting call, whatever its rank, so that
 * high-priority work cannot block other work forever.
 */
const IN_TURN = 4;

/**
 * A counting semaphore. Free slots go to the lowest rank first, and within a rank in the order of
 * arrival.
 */
export class RequestSlots {
  #free: number;
  #querying = 0;
  readonly #size: number;
  readonly #queryingMax: number;
  readonly #waiting: Waiting[] = [];
  #served = 0;
  #inFlight = 0;

  constructor(size: number) {
    this.#free = size;
    this.#size = size;
    this.#queryingMax = Math.max(1, Math.floor(size * QUERY_SHARE));
  }

  get inUse(): number {
    return this.#size - this.#free;
  }

  /**
   * Waits until at least one slot is free and takes up to `wish` slots. Return them with the same
   * rank.
   */
  acquire(wanted: number, rank = 0): Promise<number> {
    return new Promise((grant) => {
      this.#waiting.push({ wanted, rank, grant });
      this.#grantNext();
    });
  }

  /** True if a request may be in flight, or its outcome is not yet recorded. */
  get isInFlight(): boolean {
    return this.#inFlight > 0;
  }

  /**
   * Runs work that may send a request, and counts it as in flight until its outcome is recorded.
   */
  async trackInFlight<T>(work: () => Promise<T>): Promise<T> {
    this.#inFlight += 1;
    try {
      return await work();
    } finally {
      this.#inFlight -= 1;
    }
  }

  /** Waits for one slot, runs the work, and returns the slot. */
  async withSlot<T>(work: () => Promise<T>): Promise<T> {
    const taken = await this.acquire(1);
    try {
      return await work();
    } finally {
      this.release(taken);
    }
  }

  release(count: number, rank = 0): void {
    this.#free += count;
    if (rank === STATUS_QUERY_RANK) this.#querying -= count;
    this.#grantNext();
  }

  #grantNext(): void {
    while (this.#free > 0) {
      const next = this.#next();
      if (!next) return;
      const isQuestion = next.rank === STATUS_QUERY_RANK;
      const count = Math.min(next.wanted, this.#free, isQuestion ? this.#queryingLeft : this.#size);
      this.#free -= count;
      if (isQuestion) this.#querying += count;
      next.grant(count);
    }
  }

  get #queryingLeft(): number {
    return this.#queryingMax - this.#querying;
  }

  #next(): Waiting | undefined {
    const able = this.#waiting.filter(
      ({ rank }) => rank !== STATUS_QUERY_RANK || this.#queryingLeft > 0,
    );
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
  { slots }: { readonly slots: RequestSlots },
  work: () => Promise<T>,
): Promise<T> => slots.withSlot(() => slots.trackInFlight(work));
