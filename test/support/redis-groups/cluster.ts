import { eventually } from "../servers/eventually.ts";
import { type GroupOptions, hostsOf, NODE_LINES, nodeAt, type RedisGroup } from "./group.ts";
import { type RedisNode, startRedisNode } from "./node.ts";

const SLOTS = 16_384;
const PRIMARIES = 3;
/** Slot of "payrun:submit", the hash tag of the queue of submit jobs. */
const SUBMIT_SLOT = 9_014;

/** Three primaries with a replica each. */
export async function startCluster({ downAfterMs }: GroupOptions): Promise<RedisGroup> {
  const lines = [...NODE_LINES, "cluster-enabled yes", `cluster-node-timeout ${downAfterMs}`];
  const nodes: RedisNode[] = [];
  for (let at = 0; at < 2 * PRIMARIES; at += 1) nodes.push(await startRedisNode(lines));
  await join(nodes);
  const primaryAt = async (node: RedisNode) => {
    const slots = await node.ask((client) => client.cluster("SLOTS"));
    const range = slots.find(([from, to]) => from <= SUBMIT_SLOT && SUBMIT_SLOT <= to);
    return Number((range?.[2] as unknown as readonly [string, number] | undefined)?.[1]);
  };
  return {
    url: `redis+cluster://${hostsOf(nodes.slice(0, 4))}`,
    nodes,
    primary: async () => nodeAt(nodes, await primaryAt(nodes[0] as RedisNode)),
    async replaced(former) {
      const others = nodes.filter((node) => node !== former);
      await eventually("the cluster promotes a replica", async () => {
        const ports = await Promise.all(others.map(primaryAt));
        const areOk = await Promise.all(others.map(isOk));
        return ports.every((port) => port !== former.port) && areOk.every(Boolean);
      });
    },
    async stop() {
      await Promise.all(nodes.map((node) => node.stop()));
    },
  };
}

/** Makes one cluster of the nodes: the first are primaries, each other one a replica. */
async function join(nodes: readonly RedisNode[]): Promise<void> {
  const [first] = nodes as readonly [RedisNode];
  for (const [at, node] of nodes.slice(0, PRIMARIES).entries()) {
    const slotAt = (place: number) => Math.ceil((place * SLOTS) / PRIMARIES);
    await node.ask((client) =>
      client.call("CLUSTER", "ADDSLOTSRANGE", slotAt(at), slotAt(at + 1) - 1),
    );
    await node.ask((client) => client.call("CLUSTER", "SET-CONFIG-EPOCH", at + 1));
  }
  for (const node of nodes.slice(1)) {
    await node.ask((client) => client.call("CLUSTER", "MEET", "127.0.0.1", first.port));
  }
  for (const [at, replica] of nodes.slice(PRIMARIES).entries()) {
    const primary = nodes[at] as RedisNode;
    const id = (await primary.ask((client) => client.call("CLUSTER", "MYID"))) as string;
    await eventually("a node knows its primary", () =>
      replica
        .ask((client) => client.call("CLUSTER", "REPLICATE", id))
        .then(
          () => true,
          () => false,
        ),
    );
  }
  for (const node of nodes) await eventually("the cluster is whole", () => isWhole(node));
}

/** Every slot has a primary, as this node knows it. */
const isOk = (node: RedisNode): Promise<boolean> =>
  node.ask(async (client) =>
    String(await client.call("CLUSTER", "INFO")).includes("cluster_state:ok"),
  );

/**
 * The node knows all others, and each primary has a replica that can take over. CLUSTER SLOTS lists
 * a replica only after it has received something.
 */
const isWhole = (node: RedisNode): Promise<boolean> =>
  node.ask(async (client) => {
    const known = String(await client.call("CLUSTER", "NODES"))
      .trim()
      .split("\n");
    const slots = await client.cluster("SLOTS");
    const haveReplicas = slots.every(([_from, _to, _primary, ...replicas]) => replicas.length > 0);
    return known.length === 2 * PRIMARIES && haveReplicas && (await isOk(node));
  });
