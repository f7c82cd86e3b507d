/** How the connections to PostgreSQL that one process may open are divided among what it does. */
export interface Connections {
  /** All together. */
  readonly total: number;
  /** Pages, lists, files, final states and locks. */
  readonly ledger: number;
  /** Claims and outcomes, which wait for nobody else. */
  readonly sending: number;
  /** What is due, status queries, and claims that wait for their turn. */
  readonly asking: number;
  /** The jobs of all queues; 0: they are in Redis. */
  readonly queue: number;
  /** The one connection that is told of new jobs, for all queues. */
  readonly listen: number;
}

/** One for each purpose, and one more for what is done under a lock. */
export const CONNECTIONS_MIN = 6;
export const CONNECTIONS_MAX = 1_000;

/** A worker; a server without workers; a command. */
export const CONNECTIONS = 10;
/** A server that works as well: people wait for its pages while it sends. */
export const CONNECTIONS_OF_BOTH = 14;

const PART = 5;

/** Divides them. A process that does not send keeps one connection for what is sent by hand. */
export function divide(
  total: number,
  { works, inRedis }: { readonly works: boolean; readonly inRedis: boolean },
): Connections {
  const part = works ? Math.floor(total / PART) : 1;
  const queue = inRedis ? 0 : part;
  const listen = works && !inRedis ? 1 : 0;
  return {
    total,
    sending: part,
    asking: part,
    queue,
    listen,
    ledger: total - 2 * part - queue - listen,
  };
}
