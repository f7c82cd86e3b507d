import { randomBytes } from "node:crypto";
import pg from "pg";
import { systemClock } from "#clock.ts";
import { KEPT_ALIVE, WatchedClient } from "#postgres-client.ts";

/** What the connections of a pool are for. Each purpose has a pool of its own, so that none waits for another. */
type Purpose = keyof typeof LEAST;

/**
 * How many connections a pool keeps where another pool of this process has none. The ledger's statements may wait for one
 * connection while another holds a lock.
 */
const LEAST = { ledger: 2, sending: 1, asking: 1, queue: 1, listen: 1 } as const;

interface PoolOptions {
  readonly purpose: Purpose;
  /** Connections at most. */
  readonly size: number;
  /** Settings of each session, as PostgreSQL's `options` takes them. */
  readonly options: string;
}

/** Opens nothing before the first query. */
export const openPool = (url: string, options: PoolOptions): pg.Pool =>
  new PatientPool(url, options);

/** This process in the names of its connections, which are `payrun PURPOSE of NEED in PROCESS`. */
export const PROCESS = `${process.pid}-${randomBytes(3).toString("hex")}`;
let need = 0;

/** Sets how many connections this process may open in all. `payrun doctor` reads it from their names. */
export function announceNeed(connections: number): void {
  need = connections;
}

/** The name of a connection. The pattern below reads it. */
const nameOf = (purpose: Purpose): string => `payrun ${purpose} of ${need} in ${PROCESS}`;

/** For `substring` in PostgreSQL: the process, and the number of connections that it may open. */
export const NAMED = { process: "^payrun .* in (.*)$", need: "^payrun .* of (\\d+) in" } as const;

/** SQLSTATE of a server, a database or a role that has as many connections as it may have. */
const TOO_MANY = "53300";
const isFull = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === TOO_MANY;

/** How long a statement waits for a connection. */
const WAIT_MS = 10_000;
/** How long a pool stays smaller after the server refused it a connection. */
const SMALLER_MS = 10_000;
const PAUSE_MS = 50;
const PAUSE_MS_MAX = 1_000;

const pools = new Set<PatientPool>();

/**
 * A pool that works with fewer connections where the server gives no more: a statement that was refused a connection
 * waits for one that is open. Where this pool has none, another pool of the process closes one of its own.
 */
class PatientPool extends pg.Pool {
  readonly #size: number;
  readonly #least: number;
  #open = 0;
  #smallerUntilMs = 0;

  constructor(url: string, { purpose, size, options }: PoolOptions) {
    super({
      Client: WatchedClient,
      connectionString: url,
      max: size,
      application_name: nameOf(purpose),
      connectionTimeoutMillis: WAIT_MS,
      ...KEPT_ALIVE,
      options,
    });
    this.#size = size;
    this.#least = LEAST[purpose];
    // A dropped idle connection is replaced by the pool; without a listener it would end the process.
    this.on("error", () => {});
    this.on("connect", () => (this.#open += 1));
    this.on("remove", () => (this.#open -= 1));
    pools.add(this);
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(
    told: (
      error: Error | undefined,
      client: pg.PoolClient | undefined,
      done: (release?: unknown) => void,
    ) => void,
  ): void;
  override connect(
    told?: (
      error: Error | undefined,
      client: pg.PoolClient | undefined,
      done: (release?: unknown) => void,
    ) => void,
  ): Promise<pg.PoolClient> | void {
    const connecting = this.#connectPatiently();
    if (!told) return connecting;
    connecting.then(
      (client) => told(undefined, client, (release) => client.release(release as boolean)),
      (error: Error) => told(error, undefined, () => {}),
    );
  }

  override async end(): Promise<void> {
    pools.delete(this);
    await super.end();
  }

  async #connectPatiently(): Promise<pg.PoolClient> {
    const deadlineMs = systemClock.monotonicMs() + WAIT_MS;
    for (let pauseMs = PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, PAUSE_MS_MAX)) {
      if (systemClock.monotonicMs() >= this.#smallerUntilMs) this.options.max = this.#size;
      try {
        return await super.connect();
      } catch (error) {
        if (!isFull(error) || systemClock.monotonicMs() >= deadlineMs) throw error;
      }
      this.#shrinkTo(this.#open);
      if (this.#open > 0) continue;
      const [largest] = [...pools].sort((a, b) => b.#spare - a.#spare);
      if (largest && largest.#spare > 0) void largest.#closeOne();
      await systemClock.sleep(pauseMs);
    }
  }

  get #spare(): number {
    return this.#open - this.#least;
  }

  #shrinkTo(size: number): void {
    this.options.max = Math.max(size, 1);
    this.#smallerUntilMs = systemClock.monotonicMs() + SMALLER_MS;
  }

  /** For another pool, which has none. */
  async #closeOne(): Promise<void> {
    this.#shrinkTo(this.#open - 1);
    const client = await super.connect().catch(() => null);
    client?.release(true);
  }
}
