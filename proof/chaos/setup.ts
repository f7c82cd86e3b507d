import { appendFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type SentinelGroup, startSentinels } from "../../test/support/redis-groups/sentinels.ts";
import { type Env, FAST, merchantsFile } from "../../test/support/servers/payrun.ts";
import { freePort } from "../../test/support/servers/ports.ts";
import { type RedisProcess, startRedis } from "../../test/support/servers/redis.ts";
import { type SimulatorProcess, startSimulator } from "../../test/support/servers/simulator.ts";
import {
  type OtlpReceiver,
  startOtlpReceiver,
} from "../../test/support/telemetry/otlp-receiver.ts";
import { type Fleet, type Start, startFleet } from "./fleet.ts";
import { type inDoubtLimitFor, DECLINES, GATEWAY_FAULTS, SLOW_STORE_MS } from "./gateway-faults.ts";
import type { Engine, Link, Member, Strike } from "./plan.ts";
import { type Proxy, startProxy } from "./proxy.ts";
import type { Releases } from "./previous.ts";
import { type ChaosDatabase, startSingle, startWithStandby } from "./standby.ts";
import { cutTail, type Snapshots, snapshotsOf } from "./redis-files.ts";

export interface SetupOptions {
  readonly engine: Engine;
  readonly seed: number;
  readonly servers: number;
  readonly workers: number;
  /** True: PostgreSQL has a synchronous standby. */
  readonly standby?: boolean;
  /** The previous release, with which the campaign starts. Null: it has one release only. */
  readonly releases: Releases | null;
  /** Maximum number of concurrent requests of one process at the gateway. */
  readonly atOnce: number;
  /** Above this number in doubt a lane sends nothing new. */
  readonly inDoubtLimit: ReturnType<typeof inDoubtLimitFor>;
  /** Folder of the campaign's files, transaction log, logs and dumps. */
  readonly folder: string;
}

/**
 * The environment of payrun, real and breakable: servers, gateway, the network between them, and
 * payrun itself.
 */
export interface Setup {
  /** How payrun is started: through the proxies. */
  readonly env: Env;
  /** The ledger without a proxy, for observers. */
  readonly databaseUrl: string;
  readonly postgres: ChaosDatabase;
  readonly redis: RedisProcess | null;
  /** Redis with replicas and Sentinel, which payrun reaches without a proxy. */
  readonly group: SentinelGroup | null;
  readonly gateway: SimulatorProcess;
  readonly links: Readonly<Record<Link, readonly Proxy[]>>;
  readonly fleet: Fleet;
  readonly snapshots: Snapshots | null;
  /** For the checker: texts that may contain a secret and must not. */
  readonly texts: string;
  stop(): Promise<void>;
}

/** Silence in milliseconds after which Sentinel replaces the primary. */
const DOWN_AFTER_MS = 1_000;
const TIMEOUT_MS = 2_000;
/** Covers the work of a slow gateway after the timeout, and what a slow connection adds to it. */
const RESEND_AFTER_MS = SLOW_STORE_MS + 2_500;
/**
 * Time in milliseconds after which a claimed payout no longer belongs to its worker
 * (GATEWAY_TIMEOUT_MS and payrun's slack).
 */
export const LEASE_MS = TIMEOUT_MS + 5_000;

/** Starts the databases, the gateway and payrun's processes of a campaign. */
export async function startSetup({
  engine,
  seed,
  servers,
  workers,
  atOnce,
  folder,
  inDoubtLimit,
  standby = false,
  releases,
}: SetupOptions): Promise<Setup> {
  const texts = join(folder, "texts");
  for (const name of ["files", "texts", "kept"]) mkdirSync(join(folder, name), { recursive: true });
  const [postgres, redis, group, gateway] = await Promise.all([
    standby ? startWithStandby(texts) : startSingle(),
    engine === "redis" ? startRedis({ appendonly: true }) : null,
    engine === "sentinel" ? startSentinels({ downAfterMs: DOWN_AFTER_MS }) : null,
    startGateway(seed, folder),
  ]);
  const portOf = (url: string) => ({ host: "127.0.0.1", port: Number(new URL(url).port) });
  const [toGateway, toRedis] = await Promise.all([
    startProxy({ host: "127.0.0.1", port: gateway.port }),
    // Without Redis no data passes this proxy, and no strike of the plan names it.
    startProxy(redis ? portOf(redis.url) : { host: "127.0.0.1", port: 1 }),
  ]);
  const telemetry = await keepTelemetry(texts);
  const ports = await Promise.all(Array.from({ length: servers }, freePort));
  const balancer = await startProxy(...ports.map((port) => ({ host: "127.0.0.1", port })));
  const env: Env = {
    ...FAST,
    PAYRUN_DATA: join(folder, "payrun"),
    GATEWAY_TIMEOUT_MS: String(TIMEOUT_MS),
    RESEND_AFTER_MS: String(RESEND_AFTER_MS),
    DATABASE_URL: postgres.url,
    ...(redis ? { REDIS_URL: through(redis.url, toRedis) } : {}),
    ...(group ? { REDIS_URL: group.url } : {}),
    GATEWAY_URL: through(gateway.url, toGateway).replace(/\/$/, ""),
    MERCHANTS_FILE: merchantsFile(folder),
    SUBMIT_CONCURRENCY: String(atOnce),
    ...(releases ? { TEST_PROGRAM: releases.program } : {}),
    PUBLIC_URL: `http://127.0.0.1:${balancer.port}`,
    CIRCUIT_BREAKERS: `${inDoubtLimit.currency}.in_doubt_count=${inDoubtLimit.payouts}`,
    ...telemetry.env,
    LOG_LEVEL: "debug",
    // A process is started for each kill. The compile cache of earlier ones saves time.
    NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"] ?? join(folder, "compiled"),
  };
  const fleet = startFleet(membersOf(ports, workers, env), texts);
  return {
    env,
    databaseUrl: postgres.observerUrl,
    postgres,
    redis,
    group,
    gateway,
    links: { gateway: [toGateway], postgres: postgres.proxies, redis: [toRedis] },
    fleet,
    snapshots: redis && snapshotsOf(redis, join(folder, "kept"), texts),
    texts,
    async stop() {
      await fleet.close();
      await Promise.all([gateway.stop(), redis?.stop(), group?.stop(), postgres.stop()]);
      await Promise.all([toGateway, toRedis, balancer].map((proxy) => proxy.close()));
      await telemetry.close();
    },
  };
}

/** The same URL, by a proxy. */
const through = (url: string, { port }: Proxy): string =>
  Object.assign(new URL(url), { port: String(port) }).href;

/** The servers, each at its port, and the workers. */
function membersOf(ports: readonly number[], workers: number, env: Env): Record<Member, Start> {
  const servers = ports.map((port, number): [Member, Start] => [
    `server-${number}`,
    { args: ["serve"], env: { ...env, PORT: String(port) } },
  ]);
  const others = Array.from({ length: workers }, (_, number): [Member, Start] => [
    `worker-${number}`,
    { args: ["worker"], env },
  ]);
  return Object.fromEntries([...servers, ...others]);
}

const startGateway = (seed: number, folder: string): Promise<SimulatorProcess> =>
  startSimulator({
    seed,
    settleMs: 300,
    declines: DECLINES,
    faults: GATEWAY_FAULTS,
    logPath: join(folder, "book.jsonl"),
  });

/**
 * Receives metrics and a share of the spans, for the checker, which searches all texts for secrets.
 */
async function keepTelemetry(texts: string): Promise<Pick<OtlpReceiver, "env" | "close">> {
  const path = join(texts, "otlp.jsonl");
  const { env, close } = await startOtlpReceiver((body) => appendFileSync(path, `${body}\n`));
  const sampler = { OTEL_TRACES_SAMPLER: "traceidratio", OTEL_TRACES_SAMPLER_ARG: "0.05" };
  return { env: { ...env, ...sampler }, close };
}

/**
 * Executes a strike of the plan. Resolves when the next strike may come; `later` receives what
 * continues meanwhile.
 */
export async function applyStrike(
  act: Strike,
  setup: Setup,
  later: (work: Promise<void>) => void,
): Promise<void> {
  const { fleet, postgres, redis, group, links } = setup;
  switch (act.kind) {
    case "kill":
      if ("promotes" in act) await postgres.promote();
      else if (act.whom === "postgres") {
        await postgres.kill();
        await postgres.restart();
      } else if (act.whom === "redis") {
        await redis?.kill();
        if ("loss" in act && act.loss === "older") setup.snapshots?.putBack();
        if (redis && "loss" in act && act.loss === "cut") cutTail(redis, act.share, setup.texts);
        await redis?.restart();
      } else if (act.whom === "primary") await group?.failOver("kill");
      else await fleet.strike(act.whom, "SIGKILL");
      return;
    case "failover":
      return group?.failOver(act.how);
    case "freeze":
      await fleet.strike(act.whom, "SIGSTOP");
      later(sleep(act.forMs).then(() => fleet.strike(act.whom, "SIGCONT")));
      return;
    case "end":
      return fleet.strike(act.whom, "SIGTERM");
    case "flush":
      return redis?.flushall();
    case "link":
      for (const proxy of links[act.link]) proxy.harm(act.how);
      later(sleep(act.forMs).then(() => links[act.link].forEach((proxy) => proxy.heal())));
      return;
  }
}
