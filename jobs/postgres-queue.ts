import {
  type BackendFactory,
  PostgresConnection,
  PostgresQueueBackend,
  type QueueBaseOptions,
  runMigrations,
} from "bullmq";
import type { Pool, PoolClient } from "pg";
import { openPool, QUEUE_SCHEMA } from "#postgres/pool.ts";

/** BullMQ's PostgreSQL backend, in its own schema next to the ledger. */
export interface PostgresEngine {
  readonly kind: "postgres";
  readonly url: string;
  /**
   * Number of connections for the jobs of all queues, in addition to the one that listens. Default:
   * 2.
   */
  readonly size?: number;
}

/** Jobs are hints, so their commits need not wait for the disk. */
const OPTIONS = `-c search_path=${QUEUE_SCHEMA} -c synchronous_commit=off -c statement_timeout=30s`;
/**
 * Maximum number of listeners. Higher than the number of queues, because each listener waits for
 * its own jobs.
 */
const LISTENERS_MAX = 50;

/**
 * Creates the backends of BullMQ's queues and workers. By default BullMQ opens a pool per queue,
 * and a pool plus a listening connection per worker. Here each process has one pool and one
 * listening connection for all queues and workers.
 */
export const backendsOver =
  (engine: PostgresEngine): BackendFactory =>
  (name, options) => {
    const connection = new SharedConnection(connectionsOf(engine));
    // BullMQ's `connection` option is for a backend that opens its own connection.
    return new PostgresQueueBackend(connection, name, options as QueueBaseOptions<never>);
  };

/** The connections of one engine. They stay open while at least one backend uses them. */
class QueueConnections {
  readonly pool: Pool;
  readonly #listening: Pool;
  readonly #users = new Set<SharedConnection>();
  #prepared: Promise<void> | null = null;
  #listener: Promise<PoolClient> | null = null;

  constructor({ url, size = 2 }: PostgresEngine) {
    this.pool = openPool(url, { purpose: "queue", size, options: OPTIONS });
    this.#listening = openPool(url, { purpose: "listen", size: 1, options: OPTIONS });
  }

  enter(user: SharedConnection): void {
    this.#users.add(user);
  }

  /** Closes the connections when the last user releases them. */
  async leave(user: SharedConnection): Promise<void> {
    this.#users.delete(user);
    if (this.#users.size > 0) return;
    this.isClosed = true;
    const listener = await this.#listener?.catch(() => null);
    listener?.removeAllListeners("notification");
    listener?.release(true);
    await Promise.all([this.pool.end(), this.#listening.end()]);
  }

  isClosed = false;

  /**
   * Migrates BullMQ's tables to its version, once per process. A failed migration is not cached:
   * the next caller tries again.
   */
  prepare(): Promise<void> {
    this.#prepared ??= this.#prepare().catch((error: unknown) => {
      this.#prepared = null;
      throw error;
    });
    return this.#prepared;
  }

  async #prepare(): Promise<void> {
    const client = await this.pool.connect();
    try {
      await runMigrations(withoutSchemaCreation(client), QUEUE_SCHEMA);
      client.release();
    } catch (error) {
      client.release(true);
      throw error;
    }
  }

  /** The listening connection. It is reopened when it breaks. */
  listener(): Promise<PoolClient> {
    this.#listener ??= this.#listen().catch((error: unknown) => {
      this.#listener = null;
      throw error;
    });
    return this.#listener;
  }

  async #listen(): Promise<PoolClient> {
    const client = await this.#listening.connect();
    client.setMaxListeners(LISTENERS_MAX);
    queryInTurn(client);
    let isOver = false;
    const over = () => {
      if (isOver || this.isClosed) return;
      isOver = true;
      this.#listener = null;
      client.removeAllListeners("notification");
      client.release(true);
      // Each listener subscribes again and checks for jobs it may have missed.
      for (const user of this.#users) user.emit("listenerinvalidated");
    };
    client.on("error", over).on("end", over);
    return client;
  }
}

/**
 * Makes the statements of a connection wait for each other. Each worker subscribes on the listening
 * connection, and pg will not accept a second statement while one is running.
 */
function queryInTurn(client: PoolClient): void {
  const query = client.query.bind(client) as (text: string) => Promise<unknown>;
  let earlier: Promise<unknown> = Promise.resolve();
  const inTurn = (text: string): Promise<unknown> => {
    const asked = earlier.then(() => query(text));
    earlier = asked.catch(() => {});
    return asked;
  };
  Object.assign(client, { query: inTurn });
}

/**
 * Creating a schema needs a right on the database, even if the schema exists. The owner created it.
 */
const withoutSchemaCreation = (client: PoolClient) => ({
  async query(text: string, values?: unknown[]) {
    if (!text.startsWith("CREATE SCHEMA IF NOT EXISTS")) return client.query(text, values);
    const { rows } = await client.query("select to_regnamespace($1) as there", [QUEUE_SCHEMA]);
    return rows[0]?.there === null ? client.query(text) : { rows: [] };
  },
});

const opened = new WeakMap<PostgresEngine, QueueConnections>();

function connectionsOf(engine: PostgresEngine): QueueConnections {
  const known = opened.get(engine);
  if (known && !known.isClosed) return known;
  const connections = new QueueConnections(engine);
  opened.set(engine, connections);
  return connections;
}

/** The object that a backend uses as its own connection. */
class SharedConnection extends PostgresConnection {
  readonly #shared: QueueConnections;
  #ready: Promise<void> | null = null;
  #closing: Promise<void> | undefined;

  constructor(shared: QueueConnections) {
    const { pool } = shared;
    super({
      connect: () => pool.connect(),
      query: (text: string, values?: unknown[]) => pool.query(text, values),
      end: async () => {},
      // Connection errors are reported on the pool.
      on: () => pool,
      removeAllListeners: () => pool,
    });
    Object.assign(this, { schema: QUEUE_SCHEMA });
    this.#shared = shared;
    shared.enter(this);
  }

  override waitUntilReady(): Promise<void> {
    this.#ready ??= this.#shared.prepare().then(() => void setImmediate(() => this.emit("ready")));
    return this.#ready;
  }

  override getListenClient() {
    return this.#shared.listener() as unknown as ReturnType<PostgresConnection["getListenClient"]>;
  }

  override get hasListenClientKeepAlive(): boolean {
    return true;
  }

  /** Several workers share this connection, so it has no name of its own. */
  override async setListenClientName(): Promise<void> {}

  override get isClosing(): Promise<void> | undefined {
    return this.#closing;
  }

  override close(): Promise<void> {
    this.#closing ??= this.#shared.leave(this).finally(() => this.emit("close"));
    return this.#closing;
  }
}
