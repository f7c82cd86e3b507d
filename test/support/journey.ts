import type { ReportLine } from "./servers/transaction-log.ts";
import { FAST, type Env, merchantsFile, runHere, scratch } from "./servers/payrun.ts";
import { freshLedger } from "./ledger.ts";
import { type RedisProcess, startRedis } from "./servers/redis.ts";
import {
  type SimulatorProcess,
  type SimulatorSettings,
  startSimulator,
} from "./servers/simulator.ts";

/** Both queues. Every end-to-end test runs on each. */
export const ENGINES = ["postgres", "redis"] as const;
export type Engine = (typeof ENGINES)[number];

/** The environment of one end-to-end test: a ledger, a queue, a gateway and a folder. */
export interface Setup {
  readonly env: Env;
  readonly folder: string;
  readonly gateway: SimulatorProcess;
  readonly redis: RedisProcess | null;
  stop(): Promise<void>;
}

export async function startSetup(engine: Engine, settings: SimulatorSettings = {}): Promise<Setup> {
  const folder = scratch();
  const [gateway, redis, databaseUrl] = await Promise.all([
    startSimulator({ settleMs: 300, ...settings }),
    engine === "redis" ? startRedis() : null,
    freshLedger(),
  ]);
  return {
    folder,
    gateway,
    redis,
    env: {
      ...FAST,
      DATABASE_URL: databaseUrl,
      GATEWAY_URL: gateway.url,
      MERCHANTS_FILE: merchantsFile(folder),
      ...(redis ? { REDIS_URL: redis.url } : {}),
    },
    async stop() {
      await Promise.all([gateway.stop(), redis?.stop()]);
    },
  };
}

export async function reportOf(batchId: string, env: Env): Promise<ReportLine[]> {
  const { stdout, stderr, code } = await runHere(["batch", "report", batchId, "--json"], env);
  if (code !== 0) throw new Error(stderr);
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as ReportLine);
}
