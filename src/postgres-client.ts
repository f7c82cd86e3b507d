import pg from "pg";

/**
 * So long after a statement was asked, no answer is on its way any more: the server breaks each off after its
 * statement_timeout, a minute at most, and says so. A balancer that hangs says nothing, for ever.
 */
const SILENT_MS = 70_000;
/** In a transaction that has asked for a longer statement_timeout, by a SET LOCAL. */
const LONG_SILENT_MS = 3_600_000;
/** How long the server may take to take leave before the connection is cut. */
const END_MS = 2_000;

const TAKES_LONGER = /^set local statement_timeout\b/i;
const TRANSACTION_ENDS = /^(?:commit|rollback)$/i;

/** Where a server listens now whose port somebody else took while it was down: pools keep the address they were made with. */
const movedTo = new Map<number, number>();

export const serverMoved = (from: number, to: number): void => void movedTo.set(from, to);

/** Half a minute without a sign of life of the other machine ends a connection. */
export const KEPT_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 } as const;

/**
 * A connection that breaks while somebody holds it, or before anybody does, says so to nobody else, and an error without
 * a listener ends the process. One that goes silent is broken off, and never used again: what comes late would be taken
 * for the answer to something else.
 */
export class WatchedClient extends pg.Client {
  #silence: NodeJS.Timeout | undefined;
  #isLong = false;

  constructor(config?: string | pg.ClientConfig) {
    super(config);
    this.port = movedTo.get(this.port) ?? this.port;
    this.on("error", () => {});
    this.on("drain", () => clearTimeout(this.#silence));
  }

  override query = ((...asked: Parameters<pg.Client["query"]>) => {
    this.#watch(asked[0]);
    return super.query(...asked);
  }) as pg.Client["query"];

  override end = ((...told: Parameters<pg.Client["end"]>) => {
    // BullMQ has taken every listener away.
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
      const words = `no answer for ${limitMs / 1_000} s, the connection was given up`;
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
