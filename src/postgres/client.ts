import pg from "pg";
import { databaseHosts } from "#postgres/hosts.ts";
import { isPooler, settingStatement } from "#postgres/pooler.ts";
import { finderOf, HOST_ANSWER_MS, type PrimaryFinder, REFUSES_WRITES } from "#postgres/primary.ts";

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

/** Milliseconds of silence after which the address's other hosts are asked for the primary. */
const REVIEW_MS = 3_000;
/** SQLSTATE of a statement that a read-only server has refused. */
const READ_ONLY = "25006";
/** SQLSTATEs with which a server ends a connection: by shutdown, crash or command. */
const SERVER_ENDS = /^57P0/;

/** PostgreSQL's function that waits for standbys. It warns if a commit did not wait to the end. */
const WAITS_FOR_STANDBYS = "SyncRepWaitForLSN";
let unreplicated = 0;

/**
 * Returns the number of commits of this process, so far, whose wait for a standby was cancelled.
 * They are done, but the standby may lack them.
 */
export const unreplicatedCommits = (): number => unreplicated;

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
  #isEnding = false;
  readonly #finder: PrimaryFinder | null;
  readonly #connectTo: Partial<pg.ClientConfig>;
  /** Settings for after the connection, which a pooler refuses in the startup message. */
  readonly #setLater: string | null;
  /** The host of this connection, if its address has several. */
  hostName: string | null = null;

  constructor(config: string | pg.ClientConfig = {}) {
    const given = typeof config === "string" ? { connectionString: config } : config;
    const address = given.connectionString ?? "";
    const finder = address === "" ? null : finderOf(address);
    const { options = "", ...plain } = given;
    const isPooled = isPooler(address);
    const fitting = isPooled ? plain : given;
    super(finder ? { ...fitting, connectionString: databaseHosts(address)[0]?.url } : fitting);
    this.#finder = finder;
    this.#connectTo = given;
    this.#setLater = isPooled && options !== "" ? options : null;
    this.port = newPorts.get(this.port) ?? this.port;
    this.on("error", () => {});
    this.on("drain", () => clearTimeout(this.#silence));
    this.on("notice", ({ routine }) => {
      if (routine === WAITS_FOR_STANDBYS) unreplicated += 1;
    });
    if (finder) this.#followPrimary(finder);
  }

  override query = ((...asked: Parameters<pg.Client["query"]>) => {
    this.#watch(asked[0]);
    return super.query(...asked);
  }) as pg.Client["query"];

  override end = ((...told: Parameters<pg.Client["end"]>) => {
    this.#isEnding = true;
    // BullMQ has removed every listener.
    this.on("error", () => {});
    this.#breakOffAfter(END_MS, () => this.connection.stream.destroy());
    return super.end(...told);
  }) as pg.Client["end"];

  override connect(): Promise<this>;
  override connect(told: (error: Error) => void): void;
  override connect(told?: (error: Error) => void): Promise<this> | void {
    const connected = this.#connect();
    if (!told) return connected;
    connected.then(() => told(null as unknown as Error), told);
  }

  async #connect(): Promise<this> {
    await (this.#finder ? this.#connectToPrimary(this.#finder) : super.connect());
    if (this.#setLater !== null) await super.query(settingStatement(this.#setLater));
    return this;
  }

  /**
   * Connects to the host that accepts writes. The pool's time limit also applies to the search.
   *
   * @throws NoPrimary
   */
  async #connectToPrimary(finder: PrimaryFinder): Promise<void> {
    const host = await finder.find();
    const { host: name, port } = new pg.Client({ ...this.#connectTo, connectionString: host.url });
    Object.assign(this, { host: name, port });
    this.hostName = host.name;
    const isLate = this.#cutAfter(HOST_ANSWER_MS);
    try {
      await super.connect();
      const { rows } = await super.query<{ refuses: boolean }>(
        `select ${REFUSES_WRITES} as refuses`,
      );
      if (rows[0]?.refuses !== false || !finder.enter(this)) {
        throw Object.assign(new Error(`${host.name} is no longer the primary`), {
          code: "ECONNRESET",
        });
      }
    } catch (error) {
      finder.forget(host.name);
      this.connection.stream.destroy();
      throw error;
    } finally {
      clearTimeout(isLate);
    }
  }

  /** Closes the connection at once, for example because another host is the primary now. */
  cut(words: string): void {
    this.connection.stream.destroy(Object.assign(new Error(words), { code: "ECONNRESET" }));
  }

  /** Leaves a server that was demoted, or whose connection broke. */
  #followPrimary(finder: PrimaryFinder): void {
    this.connection.on("errorMessage", ({ code }: { readonly code?: string }) => {
      // The pool may end the client before it sees the connection close.
      if (code && SERVER_ENDS.test(code)) finder.forget(this.hostName);
      if (code !== READ_ONLY) return;
      finder.forget(this.hostName);
      // After the statement has received its error.
      setImmediate(() => this.cut(`${this.hostName} no longer accepts writes`));
    });
    this.connection.once("end", () => {
      finder.leave(this);
      if (!this.#isEnding) finder.forget(this.hostName);
    });
  }

  #watch(asked: unknown): void {
    const text =
      typeof asked === "string" ? asked : ((asked as Partial<pg.QueryConfig>).text ?? "");
    if (TAKES_LONGER.test(text)) this.#isLong = true;
    if (TRANSACTION_ENDS.test(text)) this.#isLong = false;
    const limitMs = this.#isLong ? LONG_SILENT_MS : SILENT_MS;
    const breakOff = () => {
      const words = `the database did not respond for ${limitMs / 1_000} s; the connection was closed`;
      this.connection.stream.destroy(Object.assign(new Error(words), { code: "ETIMEDOUT" }));
    };
    if (this.#finder) this.#reviewWhileSilent(this.#finder, limitMs, breakOff);
    else this.#breakOffAfter(limitMs, breakOff);
  }

  /** A host that lost its power sends nothing, so silence is the only sign. */
  #reviewWhileSilent(finder: PrimaryFinder, leftMs: number, breakOff: () => void): void {
    if (leftMs <= 0) return breakOff();
    this.#breakOffAfter(Math.min(REVIEW_MS, leftMs), () => {
      void finder.review();
      this.#reviewWhileSilent(finder, leftMs - REVIEW_MS, breakOff);
    });
  }

  #breakOffAfter(limitMs: number, breakOff: () => void): void {
    clearTimeout(this.#silence);
    this.#silence = this.#cutTimer(limitMs, breakOff);
  }

  #cutAfter(limitMs: number): NodeJS.Timeout {
    const words = `the database did not respond for ${limitMs / 1_000} s; the connection was closed`;
    return this.#cutTimer(limitMs, () => this.cut(words));
  }

  #cutTimer(limitMs: number, breakOff: () => void): NodeJS.Timeout {
    // oxlint-disable-next-line no-restricted-globals -- unlike Clock.sleep it must not hold the process
    return setTimeout(breakOff, limitMs).unref();
  }
}
