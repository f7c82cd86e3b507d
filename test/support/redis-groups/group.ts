import type { RedisNode } from "./node.ts";

/** Several Redis processes of which one takes over when another fails. */
export interface RedisGroup {
  /** As in `REDIS_URL`. */
  readonly url: string;
  readonly nodes: readonly RedisNode[];
  /** The primary of the queue of submit jobs, as the group knows it now. */
  primary(): Promise<RedisNode>;
  /** Resolves when another node than this one is that primary. */
  replaced(former: RedisNode): Promise<void>;
  stop(): Promise<void>;
}

export interface GroupOptions {
  /** Silence in milliseconds after which a node counts as failed. */
  readonly downAfterMs: number;
}

/** Configuration of each node that holds jobs. */
export const NODE_LINES = [
  'save ""',
  "appendonly yes",
  "maxmemory-policy noeviction",
  "repl-diskless-sync-delay 0",
  "repl-ping-replica-period 1",
];

export const hostsOf = (nodes: readonly RedisNode[]): string =>
  nodes.map(({ port }) => `127.0.0.1:${port}`).join(",");

export function nodeAt(nodes: readonly RedisNode[], port: number): RedisNode {
  const node = nodes.find((each) => each.port === port);
  if (!node) throw new Error(`no node of the group has port ${port}`);
  return node;
}
