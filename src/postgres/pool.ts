import { randomBytes } from "node:crypto";
import pg from "pg";
import { systemClock } from "#base/clock.ts";
import { KEPT_ALIVE, WatchedClient } from "#postgres/client.ts";
import { seeksPrimary } from "#postgres/hosts.ts";
import { acceptPooler, isPooler, refusesOptions } from "#postgres/pooler.ts";
import { finderOf } from "#postgres/primary.ts";

/**
 * The purpose of a pool's connections. Each purpose has its own pool, so none waits for another.
 */
type Purpose = keyof typeof CONNECTIONS_MIN;

/**
 * Minimum connections that a pool keeps when another pool of this process has none. The ledger's
 * statements may wait for one connection while another holds a lock.
 */
const CONNECTIONS_MIN = { ledger: 2, sending: 1, asking: 1, queue: 1, listen: 1 } as const;

interface PoolOptions {
  readonly purpose: Purpose;
  /** Maximum number of connections. */
  readonly size: number;
  /** Settings of each session, in the form of PostgreSQL's `options`. */
  readonly options: string;
}

/** Creates a pool. It connects at the first query. */
export const openPool = (url: string, options: PoolOptions): pg.Pool =>
  new ElasticPool(url, options);

/**
 * Identifies this process in the names of its connections, which are `payrun PURPOSE of NEED in
 * PROCESS`.
 */
export const PROCESS = `${process.pid}-${randomBytes(3).toString("hex")}`;
let need = 0;

/**
 * Sets the total number of connections that this process may open. `payrun doctor` reads it from
 * their names.
 */
export function announceConnectionNeed(connections: number): void {
  need = connections;
}

/** Returns the name of a connection. The patterns below parse it. */
const nameOf = (purpose: Purpose): string => `payrun ${purpose} of ${need} in ${PROCESS}`;

/**
 * Patterns for PostgreSQL's `substring`: the process, and the number of connections that it may
 * open.
 */
export const CONNECTION_NAME_PATTERNS = {
  process: "^payrun .* in (.*)$",
  need: "^payrun .* of (\\d+) in",
} as const;

/** SQLSTATE of a server, database or role that has reached its connection limit. */
const TOO_MANY = "53300";
const isFull = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === TOO_MANY;

/** The host refuses connections, closes them or cannot be reached. */
const GONE = /^(ECONN|EHOST|ENET|ETIMEDOUT|57P0)/;
const isGone = (error: unknown): boolean =>
  error instanceof Error && (!("code" in error) || GONE.test(String(error.code)));

/** Milliseconds that a statement waits for a connection. */
const WAIT_MS = 10_000;
/** Milliseconds for which a pool stays smaller after the server refused it a connection. */
const SMALLER_MS = 10_000;
const PAUSE_MS = 50;
const PAUSE_MS_MAX = 1_000;

/** The schema of BullMQ's tables, next to the ledger's. */
export const QUEUE_SCHEMA = "payrun_queue";

const pools = new Set<ElasticPool>();

/**
 * A pool that works with fewer connections if the server grants no more: a statement whose
 * connection was refused waits for an open one. If this pool has none, another pool of the process
 * closes one of its connections.
 */
class ElasticPool extends pg.Pool {
  readonly #size: number;
  readonly #min: number;
  readonly #url: string;
  readonly #seeksPrimary: boolean;
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
    this.#min = CONNECTIONS_MIN[purpose];
    this.#url = url;
    this.#seeksPrimary = seeksPrimary(url);
    // The pool replaces a dropped idle connection. Without a listener the error would end the
    // process.
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
    const connecting = this.#connectWithRetry();
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

  async #connectWithRetry(): Promise<pg.PoolClient> {
    const deadlineMs = systemClock.monotonicMs() + WAIT_MS;
    let mayMove = this.#seeksPrimary;
    for (let pauseMs = PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, PAUSE_MS_MAX)) {
      if (systemClock.monotonicMs() >= this.#smallerUntilMs) this.options.max = this.#size;
      try {
        return await super.connect();
      } catch (error) {
        if (refusesOptions(error) && !isPooler(this.#url)) {
          const host = await finderOf(this.#url)?.find();
          await acceptPooler(this.#url, host?.url ?? this.#url);
          continue;
        }
        // The remembered primary is gone. The second attempt asks all hosts.
        if (mayMove && isGone(error)) {
          mayMove = false;
          continue;
        }
        if (!isFull(error) || systemClock.monotonicMs() >= deadlineMs) throw error;
      }
      this.#shrinkTo(this.#open);
      if (this.#open > 0) continue;
      const [largest] = [...pools].sort((a, b) => b.#closeSpareOfOthers - a.#closeSpareOfOthers);
      if (largest && largest.#closeSpareOfOthers > 0) void largest.#closeOne();
      await systemClock.sleep(pauseMs);
    }
  }

  get #closeSpareOfOthers(): number {
    return this.#open - this.#min;
  }

  #shrinkTo(size: number): void {
    this.options.max = Math.max(size, 1);
    this.#smallerUntilMs = systemClock.monotonicMs() + SMALLER_MS;
  }

  /** Closes one connection for another pool that has none. */
  async #closeOne(): Promise<void> {
    this.#shrinkTo(this.#open - 1);
    const client = await super.connect().catch(() => null);
    client?.release(true);
  }
}
