/** The division of one process's PostgreSQL connections among its tasks. */
export interface Connections {
  /** Total number of connections. */
  readonly total: number;
  /** For pages, lists, files, final states and locks. */
  readonly ledger: number;
  /** For claims and outcomes, which have a pool of their own so they never wait. */
  readonly sending: number;
  /** For due payouts, status queries, and claims that wait for their turn. */
  readonly queries: number;
  /** For the jobs of all queues. 0: the jobs are in Redis. */
  readonly queue: number;
  /** The one connection that is notified of new jobs, for all queues. */
  readonly listen: number;
}

/** Minimum: one connection per purpose, and one more for work under a lock. */
export const CONNECTIONS_MIN = 6;
export const CONNECTIONS_MAX = 1_000;

/** Default for a worker, a server without workers, and a command. */
export const CONNECTIONS_DEFAULT = 10;
/** Default for a server with workers, which serves pages while it sends. */
export const CONNECTIONS_DEFAULT_WITH_WORKERS = 14;

const QUERY_SHARE = 5;

/**
 * Divides the connections. A process that does not send keeps one connection for payouts sent
 * manually.
 */
export function divideConnections(
  total: number,
  { works, inRedis }: { readonly works: boolean; readonly inRedis: boolean },
): Connections {
  const part = works ? Math.floor(total / QUERY_SHARE) : 1;
  const queue = inRedis ? 0 : part;
  const listen = works && !inRedis ? 1 : 0;
  return {
    total,
    sending: part,
    queries: part,
    queue,
    listen,
    ledger: total - 2 * part - queue - listen,
  };
}
