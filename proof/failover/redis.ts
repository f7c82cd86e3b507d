import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startCluster } from "../../test/support/redis-groups/cluster.ts";
import type { RedisGroup } from "../../test/support/redis-groups/group.ts";
import { startSentinels } from "../../test/support/redis-groups/sentinels.ts";
import { eventually } from "../../test/support/servers/eventually.ts";
import {
  documentOf,
  type Env,
  FAST,
  makeFile,
  merchantsFile,
  rowsOf,
  runPayrun,
  scratch,
  startPayrun,
} from "../../test/support/servers/payrun.ts";
import { startPostgres } from "../../test/support/servers/postgres.ts";
import { type SimulatorProcess, startSimulator } from "../../test/support/servers/simulator.ts";
import {
  type Differences,
  differences,
  type ReportLine,
} from "../../test/support/servers/transaction-log.ts";

export const GROUPS = { sentinel: startSentinels, cluster: startCluster } as const;

/** Failures of the primary: its process ends, or it is silent with open connections. */
export const FAILURES = ["kill", "freeze"] as const;

export interface FailoverOptions {
  readonly group: keyof typeof GROUPS;
  readonly failure: (typeof FAILURES)[number];
  readonly payouts: number;
  /** Silence in milliseconds after which a node counts as failed. */
  readonly downAfterMs: number;
}

export interface FailoverResult {
  /** From the failure until the group had a new primary. */
  readonly promotedMs: number;
  /** Longest time after the failure in which the gateway accepted no payout. */
  readonly pauseMs: number;
  /** Accepted at the gateway before the failure. */
  readonly before: number;
  readonly states: Readonly<Record<string, number>>;
  /** Between payrun's report and the gateway's transaction log. */
  readonly apart: Differences;
}

const WORKERS = 2;
const LOOK_MS = 50;
/**
 * Share of the payouts after which the primary fails. Jobs that have begun need no Redis, and send
 * up to this many payouts more.
 */
const FAILS_AFTER = 0.2;

/**
 * Pays a file with real workers, makes the primary of the queue fail while it is being sent, and
 * measures the pause.
 */
export async function measureRedisFailover(options: FailoverOptions): Promise<FailoverResult> {
  const { payouts, downAfterMs } = options;
  const folder = scratch();
  const [group, postgres, gateway] = await Promise.all([
    GROUPS[options.group]({ downAfterMs }),
    startPostgres(),
    startSimulator({ settleMs: 300 }),
  ]);
  const { url: databaseUrl } = await postgres.createDatabase();
  const env = {
    ...FAST,
    DATABASE_URL: databaseUrl,
    GATEWAY_URL: gateway.url,
    MERCHANTS_FILE: merchantsFile(folder),
    PAYRUN_DATA: join(folder, "data"),
    REDIS_URL: group.url,
    RESOLVE_AFTER_MS: "2000",
    RESEND_AFTER_MS: "2000",
    GATEWAY_TIMEOUT_MS: "10000",
    SUBMIT_CONCURRENCY: "16",
  };
  const workers = Array.from({ length: WORKERS }, () => startPayrun(["worker"], env));
  try {
    await Promise.all(workers.map((worker) => worker.says(/workers are running/)));
    const { path, totals } = makeFile(folder, rowsOf(payouts));
    const approved = documentOf(
      await runPayrun(["pay", path, "--json", "--no-wait", ...totals], env),
    );
    const { batch_id: batchId } = approved;
    const under = await failMidway(options, group, gateway);
    const ended = documentOf(await runPayrun(["batch", "watch", batchId, "--json"], env));
    const { promotedMs, before, pauseMs } = under;
    const apart = differences(await reportOf(batchId, env), await gateway.log());
    return { promotedMs, pauseMs: await pauseMs, before, states: ended.states, apart };
  } finally {
    await Promise.all(workers.map((worker) => worker.end("SIGTERM")));
    await Promise.all([group.stop(), gateway.stop(), postgres.stop()]);
  }
}

/** Makes the primary fail when a share of the payouts is accepted. */
async function failMidway(
  { failure, payouts }: FailoverOptions,
  group: RedisGroup,
  gateway: SimulatorProcess,
) {
  const accepted = async () => (await gateway.summary()).accepted;
  await eventually(
    "the batch is being sent",
    async () => (await accepted()) >= payouts * FAILS_AFTER,
  );
  const primary = await group.primary();
  const before = await accepted();
  const startedMs = performance.now();
  await primary.signal(failure === "kill" ? "SIGKILL" : "SIGSTOP");
  const pauseMs = longestPause(accepted, payouts);
  await group.replaced(primary);
  const promotedMs = performance.now() - startedMs;
  return { promotedMs, before, pauseMs };
}

/** Longest time in milliseconds without a new payout, until all are accepted. */
async function longestPause(accepted: () => Promise<number>, payouts: number): Promise<number> {
  let known = await accepted();
  let sinceMs = performance.now();
  let longestMs = 0;
  while (known < payouts) {
    await sleep(LOOK_MS);
    const now = await accepted();
    longestMs = Math.max(longestMs, performance.now() - sinceMs);
    if (now === known) continue;
    known = now;
    sinceMs = performance.now();
  }
  return longestMs;
}

async function reportOf(batchId: string, env: Env): Promise<ReportLine[]> {
  const { stdout, stderr, code } = await runPayrun(["batch", "report", batchId, "--json"], env);
  if (code !== 0) throw new Error(stderr);
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as ReportLine);
}
