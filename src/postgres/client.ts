import pg from "pg";

/**
 * Milliseconds without an answer after which a statement's connection is dropped. The server
 * cancels every statement after its statement_timeout, at most one minute, and reports it. A
 * hanging load balancer would stay silent for ever.
 */
const SILENT_MS = 70_000;
/** The same in a transaction that has requested a longer statement_timeout with SET LOCAL. */
const LONG_SILENT_MS = 3_600_000;
/** Milliseconds that the server may take to close a connection before it is cut. */
const END_MS = 2_000;

const TAKES_LONGER = /^set local statement_timeout\b/i;
const TRANSACTION_ENDS = /^(?:commit|rollback)$/i;

/**
 * New port of a server whose previous port was taken by another process while it was down. Pools
 * keep the address with which they were created.
 */
const newPorts = new Map<number, number>();

/** Records that the embedded server now listens on another port. */
export const recordServerPort = (from: number, to: number): void => void newPorts.set(from, to);

/** A connection ends after half a minute without a sign of life from the other machine. */
export const KEPT_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 } as const;

/**
 * A client with an error listener and a silence timeout. A connection that breaks while it is in
 * use, or before its first use, reports that only as an error event, and without a listener the
 * event ends the process. A silent connection is dropped and never reused: a late answer would be
 * taken for the answer to another statement.
 */
export class WatchedClient extends pg.Client {
  #silence: NodeJS.Timeout | undefined;
  #isLong = false;

  constructor(config?: string | pg.ClientConfig) {
    super(config);
    this.port = newPorts.get(this.port) ?? this.port;
    this.on("error", () => {});
    this.on("drain", () => clearTimeout(this.#silence));
  }

  override query = ((...asked: Parameters<pg.Client["query"]>) => {
    this.#watch(asked[0]);
    return super.query(...asked);
  }) as pg.Client["query"];

  override end = ((...told: Parameters<pg.Client["end"]>) => {
    // BullMQ has removed every listener.
    this.on("error", () => {});
    this.#breakOffAfter(END_MS, () => this.connection.stream.destroy());
    return super.end(...told);
  }) as pg.Client["end"];

  #watch(asked: unknown): void {
    const text =
      typeof asked === "string" ? asked : ((asked as Partial<pg.QueryConfig>).text ?? "");
    if (TAKES_LONGER.test(text)) this.#isLong = true;
    if (TRANSACTION_ENDS.test(text)) this.#isLong = false;
    const limitMs = this.#isLong ? LONG_SILENT_MS : SILENT_MS;
    this.#breakOffAfter(limitMs, () => {
      const words = `the database did not respond for ${limitMs / 1_000} s; the connection was closed`;
      this.connection.stream.destroy(Object.assign(new Error(words), { code: "ETIMEDOUT" }));
    });
  }

  #breakOffAfter(limitMs: number, breakOff: () => void): void {
    clearTimeout(this.#silence);
    // oxlint-disable-next-line no-restricted-globals -- unlike Clock.sleep it must not hold the process
    this.#silence = setTimeout(breakOff, limitMs);
    this.#silence.unref();
  }
}
