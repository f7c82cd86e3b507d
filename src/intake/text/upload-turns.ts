interface Waiting {
  readonly sender: string;
  readonly start: () => void;
}

/** Maximum number of senders remembered. A forgotten sender counts as one who has had no turn. */
const REMEMBERED_MAX = 1_000;

/**
 * Shares a limited number of places among senders. Each sender uses at most one place, and a free
 * place goes to the sender whose last turn is the oldest. Nobody waits for more than one task of
 * each other sender.
 */
export class UploadTurns {
  readonly #places: number;
  readonly #running = new Set<string>();
  readonly #waiting: Waiting[] = [];
  /** Number of the last turn of each sender, oldest first. */
  readonly #lastTurnBySender = new Map<string, number>();
  #turnCount = 0;

  constructor(places: number) {
    this.#places = places;
  }

  /** Waits for a turn of this sender, runs the work, and frees the place. */
  async runInTurn<T>(sender: string, work: () => Promise<T>): Promise<T> {
    await new Promise<void>((start) => {
      this.#waiting.push({ sender, start });
      this.#startNext();
    });
    try {
      return await work();
    } finally {
      this.#running.delete(sender);
      this.#startNext();
    }
  }

  #startNext(): void {
    while (this.#running.size < this.#places) {
      const next = this.#next();
      if (!next) return;
      this.#waiting.splice(this.#waiting.indexOf(next), 1);
      this.#running.add(next.sender);
      this.#recordTurn(next.sender);
      next.start();
    }
  }

  #next(): Waiting | undefined {
    const lastTurn = ({ sender }: Waiting) => this.#lastTurnBySender.get(sender) ?? 0;
    return this.#waiting
      .filter(({ sender }) => !this.#running.has(sender))
      .reduce<Waiting | undefined>(
        (first, each) => (first && lastTurn(first) <= lastTurn(each) ? first : each),
        undefined,
      );
  }

  #recordTurn(sender: string): void {
    this.#turnCount += 1;
    this.#lastTurnBySender.delete(sender);
    this.#lastTurnBySender.set(sender, this.#turnCount);
    const [oldest] = this.#lastTurnBySender.keys();
    if (this.#lastTurnBySender.size > REMEMBERED_MAX && oldest !== undefined) {
      this.#lastTurnBySender.delete(oldest);
    }
  }
}
