import { randomInt } from "node:crypto";
import type { Networks } from "#people/sign-in-throttle.ts";

interface Waiting {
  readonly networks: readonly string[];
  readonly answer: (leave: (() => void) | null) => void;
}

/** Maximum number of networks to remember while the queue is busy. */
const NETWORKS_MAX = 20_000;

/**
 * Queue of sign-ins from unknown browsers, in front of the database and the password hashing. It is
 * bounded, and serves the network with the fewest tries first, comparing the widest prefix first. A
 * flood from some networks therefore delays a sign-in from another one only a little. In a flood
 * from everywhere, tries are dropped at random.
 */
export class UnknownBrowserQueue {
  readonly #atOnce: number;
  readonly #waitingMax: number;
  #running = 0;
  readonly #waiting: Waiting[] = [];
  readonly #tries = new Map<string, number>();

  constructor(atOnce: number, waitingMax: number) {
    this.#atOnce = atOnce;
    this.#waitingMax = waitingMax;
  }

  /**
   * Waits for a turn. Resolves to the function that ends the turn; null if too many are waiting.
   */
  enter({ provider, site, address }: Networks): Promise<(() => void) | null> {
    const networks = [`0 ${provider}`, `1 ${site}`, `2 ${address}`];
    if (this.#tries.size > NETWORKS_MAX) this.#tries.clear();
    for (const each of networks) this.#tries.set(each, (this.#tries.get(each) ?? 0) + 1);
    return new Promise((answer) => {
      this.#waiting.push({ networks, answer });
      this.#serve();
      if (this.#waiting.length > this.#waitingMax) this.#take("last")?.answer(null);
    });
  }

  #serve(): void {
    while (this.#running < this.#atOnce) {
      const next = this.#take("first");
      if (!next) break;
      this.#running += 1;
      let isLeft = false;
      next.answer(() => {
        if (isLeft) return;
        isLeft = true;
        this.#running -= 1;
        this.#serve();
      });
    }
    if (this.#running === 0) this.#tries.clear();
  }

  /**
   * Removes and returns one waiting try. "first": from the networks with the fewest tries, the
   * earliest one. "last": from those with the most tries, a random one.
   */
  #take(which: "first" | "last"): Waiting | undefined {
    const sign = which === "first" ? 1 : -1;
    const [best] = this.#waiting.toSorted((one, other) => sign * this.#compare(one, other));
    if (!best) return undefined;
    const equals = this.#waiting.filter((each) => this.#compare(each, best) === 0);
    const at = which === "first" ? 0 : randomInt(equals.length);
    const taken = equals[at] ?? best;
    this.#waiting.splice(this.#waiting.indexOf(taken), 1);
    return taken;
  }

  #compare(one: Waiting, other: Waiting): number {
    for (const [level, network] of one.networks.entries()) {
      const less = this.#triesOf(network) - this.#triesOf(other.networks[level] ?? "");
      if (less !== 0) return less;
    }
    return 0;
  }

  #triesOf(network: string): number {
    return this.#tries.get(network) ?? 0;
  }
}
