import {
  type BackendFactory,
  PostgresConnection,
  PostgresQueueBackend,
  type QueueBaseOptions,
  runMigrations,
} from "bullmq";
import type { Pool, PoolClient } from "pg";
import { openPool } from "#postgres-pool.ts";

/** BullMQ's PostgreSQL backend, in a schema of its own beside the ledger. */
export interface PostgresEngine {
  readonly kind: "postgres";
  readonly url: string;
  /** Connections for the jobs of all queues, besides the one that listens; default: 2. */
  readonly size?: number;
}

const QUEUE_SCHEMA = "payrun_queue";
/** Jobs are hints, so their commits need not wait for the disk. */
const OPTIONS = `-c search_path=${QUEUE_SCHEMA} -c synchronous_commit=off -c statement_timeout=30s`;
/** More than there are queues: each listener waits for jobs of its own. */
const LISTENERS_MAX = 50;

/**
 * Makes the backends of BullMQ's queues and workers. By itself BullMQ opens a pool for each queue, and a pool and a
 * connection that listens for each worker; here all of one process share one pool and one connection that listens.
 */
export const backendsOver =
  (engine: PostgresEngine): BackendFactory =>
  (name, options) => {
    const connection = new SharedConnection(connectionsOf(engine));
    // Its `connection` is for a backend that opens one itself.
    return new PostgresQueueBackend(connection, name, options as QueueBaseOptions<never>);
  };

/** The connections of one engine, as long as somebody uses them. */
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

  /** The last one closes the connections. */
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

  /** Brings BullMQ's tables up to its version, once for all. A failure is forgotten: the next one tries again. */
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
      await runMigrations(client, QUEUE_SCHEMA);
      client.release();
    } catch (error) {
      client.release(true);
      throw error;
    }
  }

  /** The connection that listens; opened again after it broke. */
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
    let isOver = false;
    const over = () => {
      if (isOver || this.isClosed) return;
      isOver = true;
      this.#listener = null;
      client.removeAllListeners("notification");
      client.release(true);
      // Each of them listens again, and looks for what it may have missed.
      for (const user of this.#users) user.emit("listenerinvalidated");
    };
    client.on("error", over).on("end", over);
    return client;
  }
}

const opened = new WeakMap<PostgresEngine, QueueConnections>();

function connectionsOf(engine: PostgresEngine): QueueConnections {
  const known = opened.get(engine);
  if (known && !known.isClosed) return known;
  const connections = new QueueConnections(engine);
  opened.set(engine, connections);
  return connections;
}

/** What one backend takes for a connection of its own. */
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
      // The pool hears of its errors itself.
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

  /** Several workers share it: it has no name of its own. */
  override async setListenClientName(): Promise<void> {}

  override get isClosing(): Promise<void> | undefined {
    return this.#closing;
  }

  override close(): Promise<void> {
    this.#closing ??= this.#shared.leave(this).finally(() => this.emit("close"));
    return this.#closing;
  }
}
