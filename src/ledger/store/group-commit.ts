import { setImmediate } from "node:timers/promises";
import type { Clock } from "#base/clock.ts";

/**
 * Commits many moves together. Each caller adds one entry and waits. Entries that arrive during a
 * flush go into the next one. Measured: ten times the rate of one commit per entry.
 */
export class GroupCommit<Entry, Answer> {
  readonly #flush: (entries: readonly Entry[]) => Promise<readonly Answer[]>;
  readonly #sizeMax: number;
  readonly #gather: Gather | undefined;
  #waiting: Waiting<Entry, Answer>[] = [];
  #flushing = false;
  /** Aborted when enough entries wait for the next group. */
  #full = new AbortController();

  /**
   * @param flush commits the entries together and returns the answer of each, in order.
   * @param gather waits for more entries before each group. Absent: entries never wait.
   */
  constructor(
    flush: (entries: readonly Entry[]) => Promise<readonly Answer[]>,
    { sizeMax = 200, gather }: Grouping = {},
  ) {
    this.#flush = flush;
    this.#sizeMax = sizeMax;
    this.#gather = gather;
  }

  /** Resolves when the group of the entry is durable. Rejects if the group failed. */
  add(entry: Entry): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ entry, resolve, reject });
      if (this.#waiting.length >= ENOUGH) this.#full.abort();
      if (!this.#flushing) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#flushing = true;
    if (this.#gather) await this.#gather({ size: 0, tookMs: 0 }, this.#full.signal);
    while (this.#waiting.length > 0) {
      const group = this.#waiting.splice(0, this.#sizeMax);
      this.#full = new AbortController();
      if (this.#waiting.length >= ENOUGH) this.#full.abort();
      const startedMs = performance.now();
      try {
        const answers = await this.#flush(group.map(({ entry }) => entry));
        for (const [index, { resolve }] of group.entries()) resolve(answers[index] as Answer);
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
      const tookMs = performance.now() - startedMs;
      if (this.#gather) await this.#gather({ size: group.length, tookMs }, this.#full.signal);
    }
    this.#flushing = false;
  }
}

export interface Grouping {
  readonly sizeMax?: number;
  readonly gather?: Gather;
}

/**
 * Waits for entries of the next group, at most until `full` is aborted.
 *
 * @param last the previous group. Size 0: there was none just before.
 */
type Gather = (
  last: { readonly size: number; readonly tookMs: number },
  full: AbortSignal,
) => Promise<void>;

interface Waiting<Entry, Answer> {
  readonly entry: Entry;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/** A larger group saves little more per entry. */
const ENOUGH = 32;

/** The pause between two groups, as a multiple of the time that the first of them took. */
const PAUSE_FACTOR = 2;
const PAUSE_MS_MAX = 20;

/**
 * Lets pending network input be read before each group, because its
 * entries belong to it. After a
 * group of several entries it also pauses. A statement costs PostgreSQL about a millisecond in
 * addition to its rows, so that the groups of a busy machine must be large. The pause grows with
 * the time that a group takes, which a busy machine lengthens. An entry that comes alone does not
 * wait.
 */
export const gatherWith =
  (clock: Pick<Clock, "sleep">): Gather =>
  async ({ size, tookMs }, full) => {
    await setImmediate();
    if (size > 1) await clock.sleep(Math.min(tookMs * PAUSE_FACTOR, PAUSE_MS_MAX), full);
  };
