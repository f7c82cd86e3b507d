/** A counting semaphore, first come first served: whoever waits gets what has become free, in turn. */
export class Slots {
  #free: number;
  readonly #size: number;
  readonly #waiting: { readonly wish: number; readonly give: (count: number) => void }[] = [];

  constructor(size: number) {
    this.#free = size;
    this.#size = size;
  }

  get inUse(): number {
    return this.#size - this.#free;
  }

  /** Waits until at least one slot is free and takes up to `wish` of them. */
  take(wish: number): Promise<number> {
    return new Promise((give) => {
      this.#waiting.push({ wish, give });
      this.#serve();
    });
  }

  give(count: number): void {
    this.#free += count;
    this.#serve();
  }

  #serve(): void {
    while (this.#free > 0) {
      const next = this.#waiting.shift();
      if (!next) return;
      const count = Math.min(next.wish, this.#free);
      this.#free -= count;
      next.give(count);
    }
  }
}
