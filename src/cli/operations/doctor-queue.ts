import { broken, type Finding, ok, warning, words } from "#cli/operations/doctor-finding.ts";
import type { Config } from "#app/config.ts";
import { type InspectedRedis, inspectRedis, type RedisFacts, whyJobsRefused } from "#jobs/redis.ts";
import { QUEUES } from "#views/operations/queue-status.ts";

const QUEUE = "queue";

/** Checks that the queue accepts jobs, keeps them, and survives the failure of a server. */
export async function checkQueue(config: Config): Promise<Finding[]> {
  if (!config.REDIS_URL) return [ok(QUEUE, "in PostgreSQL, together with the ledger")];
  try {
    const inspected = await inspectRedis(config.REDIS_URL, QUEUES);
    const { primaries, concerns } = inspected;
    return [
      queueFinding(inspected),
      evictionFinding(primaries),
      primaries.every(({ appendOnly }) => appendOnly)
        ? ok("persistence", "append-only file")
        : warning(
            "persistence",
            "no append-only file",
            "set appendonly yes for faster restarts. Without it, no payouts are lost, because payrun rebuilds its jobs from the ledger",
          ),
      ...concerns.map(({ found, advice }) => warning("failover", found, advice)),
    ];
  } catch (error) {
    return [
      broken(
        QUEUE,
        words(error),
        "check that the server is running and that REDIS_URL is correct, including the user and password. For TLS, use rediss:// (and NODE_EXTRA_CA_CERTS for your own certificate authority)",
      ),
    ];
  }
}

function evictionFinding(primaries: readonly RedisFacts[]): Finding {
  const evicting = primaries.find(({ policy }) => policy !== "noeviction");
  return evicting
    ? broken(
        "eviction",
        `maxmemory-policy is ${evicting.policy}`,
        "set maxmemory-policy noeviction: otherwise Redis evicts jobs when it is full",
      )
    : ok("eviction", "noeviction");
}

/**
 * Redis refuses a job with this code, also under an eviction policy if there is nothing left to
 * evict.
 */
const NO_MEMORY = "OOM";
const MAKE_ROOM =
  "increase the queue server's maxmemory, or find out what else is using the memory";

const TOPOLOGIES = {
  single: () => "",
  sentinel: () => " (Sentinel)",
  cluster: (primaries: number) => ` (Cluster with ${primaries} primaries)`,
} as const;

function queueFinding({ kind, primaries, refusal }: InspectedRedis): Finding {
  const name = `Redis ${primaries[0]?.version ?? "of unknown version"}${TOPOLOGIES[kind](primaries.length)}`;
  for (const facts of primaries) {
    const obstacle = whyJobsRefused(facts);
    if (obstacle === null) continue;
    const advice = facts.isPrimary ? MAKE_ROOM : "set REDIS_URL to the primary";
    return broken(QUEUE, `${name} ${obstacle}`, advice);
  }
  if (refusal !== null) {
    const advice = refusal.startsWith(NO_MEMORY)
      ? MAKE_ROOM
      : "allow the Redis user to run every command on payrun's keys: ACL SETUSER NAME ~{payrun* &* +@all";
    return broken(QUEUE, `${name} does not accept jobs: ${refusal}`, advice);
  }
  return ok(QUEUE, name);
}
