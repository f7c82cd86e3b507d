import { eventually } from "../servers/eventually.ts";
import { type GroupOptions, hostsOf, NODE_LINES, nodeAt, type RedisGroup } from "./group.ts";
import { type RedisNode, startRedisNode } from "./node.ts";

/** Name of the monitored primary. */
const NAME = "payrun-queue";
const QUORUM = 2;

/** The group with its sentinels, which a test may stop as well. */
export interface SentinelGroup extends RedisGroup {
  readonly sentinels: readonly RedisNode[];
  /**
   * Makes the primary fail, or asks Sentinel for another one, and waits for the new one. The former
   * primary returns as a replica.
   */
  failOver(how: "kill" | "freeze" | "command"): Promise<void>;
}

/** One primary with two replicas, and three sentinels. */
export async function startSentinels({ downAfterMs }: GroupOptions): Promise<SentinelGroup> {
  const primary = await startRedisNode(NODE_LINES);
  const following = [...NODE_LINES, `replicaof 127.0.0.1 ${primary.port}`];
  const nodes = [primary, await startRedisNode(following), await startRedisNode(following)];
  const monitoring = [
    `sentinel monitor ${NAME} 127.0.0.1 ${primary.port} ${QUORUM}`,
    `sentinel down-after-milliseconds ${NAME} ${downAfterMs}`,
    `sentinel failover-timeout ${NAME} 10000`,
  ];
  const sentinels = await Promise.all(
    [1, 2, 3].map(() => startRedisNode(monitoring, ["--sentinel"])),
  );
  for (const sentinel of sentinels) {
    await eventually("a sentinel knows the others and the replicas", () => knowsAll(sentinel));
  }
  const primaryNow = async () => {
    const port = await askFirst(sentinels, async (sentinel) => {
      const told = await sentinel.ask((client) =>
        client.call("SENTINEL", "GET-MASTER-ADDR-BY-NAME", NAME),
      );
      return Number((told as string[])[1]);
    });
    return nodeAt(nodes, port);
  };
  const replaced = async (former: RedisNode) => {
    await eventually("Sentinel promotes a replica", async () => {
      const now = await primaryNow();
      return now !== former && (await isPrimary(now));
    });
  };
  return {
    url: `redis+sentinel://${hostsOf(sentinels)}/${NAME}`,
    nodes,
    sentinels,
    primary: primaryNow,
    replaced,
    async failOver(how) {
      const former = await primaryNow();
      if (how === "kill") await former.signal("SIGKILL");
      if (how === "freeze") await former.signal("SIGSTOP");
      if (how === "command") {
        // Refused while the last failover is not over.
        await eventually("Sentinel fails over", () =>
          askFirst(sentinels, (sentinel) =>
            sentinel.ask((client) => client.call("SENTINEL", "FAILOVER", NAME)),
          ).then(
            () => true,
            () => false,
          ),
        );
      }
      await replaced(former);
      if (how === "kill") await former.start();
      if (how === "freeze") await former.signal("SIGCONT");
    },
    async stop() {
      await Promise.all([...sentinels, ...nodes].map((node) => node.stop()));
    },
  };
}

const knowsAll = (sentinel: RedisNode): Promise<boolean> =>
  sentinel.ask(async (client) => {
    const told = (await client.call("SENTINEL", "MASTER", NAME)) as string[];
    const field = (name: string) => told[told.indexOf(name) + 1];
    return field("num-other-sentinels") === "2" && field("num-slaves") === "2";
  });

const isPrimary = (node: RedisNode): Promise<boolean> =>
  node
    .ask((client) => client.role())
    .then(
      ([role]) => role === "master",
      () => false,
    );

/** The answer of the first node that has one. */
async function askFirst<T>(
  nodes: readonly RedisNode[],
  ask: (node: RedisNode) => Promise<T>,
): Promise<T> {
  let last: unknown = null;
  for (const node of nodes) {
    try {
      return await ask(node);
    } catch (error) {
      last = error;
    }
  }
  throw last;
}
