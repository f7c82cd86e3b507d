/**
 * Payouts per second from approved to accepted, compared with a hand-written loop against the same
 * simulated gateway, in alternation. Prints medians and the ratio. `--gateway tls` puts TLS and a
 * delay of 50 ms in front of the gateway.
 *
 * Run as: node bench/throughput.ts [--rows N] [--runs N] [--engine redis|embedded] [--gateway
 * plain|tls] [--loop got|undici]
 */
import { createReadStream } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { approve, totalsOf } from "#flows/approval/approve.ts";
import { ingest } from "#flows/intake/ingest.ts";
import { readConfig } from "#app/config.ts";
import { openPayrun, type Payrun } from "#app/wiring.ts";
import { onFreePort } from "../test/support/servers/ports.ts";
import {
  databaseOf,
  median,
  run,
  scratch,
  start,
  startSimulator,
  writeInrFile,
  writeMerchants,
} from "./support.ts";

export type Engine = "redis" | "embedded";

export type GatewayLink = "plain" | "tls";

export interface Throughput {
  readonly engine: Engine;
  readonly payrun: number;
  readonly loop: number;
  readonly ratio: number;
}

const WORKERS = 2;
const CONCURRENCY = 64;

/**
 * Returns the settings of workers with this engine. With Redis they use an external PostgreSQL, as
 * in production. fsync is on in both.
 */
export async function engineSettings(
  folder: string,
  { redisUrl, gatewayUrl }: { readonly redisUrl: string | undefined; readonly gatewayUrl: string },
): Promise<Record<string, string>> {
  const ledgerFolder = join(folder, "data");
  const database = redisUrl ? await databaseOf(ledgerFolder) : { DATABASE_URL: "" };
  return {
    ...database,
    REDIS_URL: redisUrl ?? "",
    PAYRUN_DATA: ledgerFolder,
    PAYRUN_KEY: "c3d1f2a7905e4b86d7e80f1523946ab8be6702914dfa53c81b9e76d40f3a8c25",
    GATEWAY_URL: gatewayUrl,
    MERCHANTS_FILE: writeMerchants(folder),
    SUBMIT_CONCURRENCY: String(CONCURRENCY),
    LOG_LEVEL: "warn",
  };
}

/** Measures payouts per second from approved to accepted. */
export async function measureThroughput(
  engine: Engine,
  rows: number,
  runs: number,
  link: GatewayLink = "plain",
  loopClient = "got",
): Promise<Throughput> {
  const folder = scratch();
  const simulator = await startSimulator(folder, engine);
  const direct = simulator.match[1] ?? "";
  const front = link === "tls" ? await startTls(direct, folder) : null;
  const url = front?.match[1] ?? direct;
  const redis = engine === "redis" ? await startRedis(folder) : null;
  const env = {
    ...(await engineSettings(folder, { redisUrl: redis?.url, gatewayUrl: url })),
    RESOLVE_AFTER_MS: "3600000",
    ...(front && { NODE_EXTRA_CA_CERTS: join(folder, "ca.pem") }),
  };
  const payrun = await openPayrun(readConfig(env));
  const workers = await Promise.all(
    Array.from({ length: WORKERS }, () =>
      start("./payrun", ["worker"], env, /workers are running/),
    ),
  );
  const ours: number[] = [];
  const theirs: number[] = [];
  try {
    for (let turn = 0; turn <= runs; turn++) {
      const file = writeInrFile(join(folder, `${turn}.csv`), rows, turn);
      const words = ["bench/process/loop.ts", file, url, "--client", loopClient];
      const loop = Number(await run(process.execPath, words, env));
      const mine = await payOnce(file, payrun, rows);
      process.stderr.write(
        `  ${engine} ${turn === 0 ? "(warm-up) " : ""}payrun ${mine.toFixed(0)}/s, loop ${loop.toFixed(0)}/s\n`,
      );
      if (turn === 0) continue;
      ours.push(mine);
      theirs.push(loop);
    }
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()));
    await payrun.close();
    await front?.stop();
    await simulator.stop();
    await redis?.stop();
  }
  return {
    engine,
    payrun: median(ours),
    loop: median(theirs),
    ratio: median(ours) / median(theirs),
  };
}

/** Payouts per second of one file, ingested and approved before the clock starts. */
export async function payOnce(
  file: string,
  payrun: Payrun,
  rows: number,
  onApproval: (batchId: string) => void = () => {},
): Promise<number> {
  const { ledger, keyring } = payrun;
  const upload = { fileName: file, open: () => createReadStream(file), actor: "bench" };
  const taken = await ingest(upload, { ledger, keyring, rows: payrun.rows });
  if (!taken.ok) throw new Error("the file was refused");
  const { batch } = taken.value;
  onApproval(batch.id);
  await approve(
    batch.id,
    { actor: "bench", contentDigest: batch.contentDigest, totals: totalsOf(batch) },
    { ledger },
  );
  const startedMs = performance.now();
  const lanes = batch.lanes.map(({ lane }) => lane);
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    // Counting states reads the whole batch, so count only when all payouts are sent.
    const due = await Promise.all(lanes.map((lane) => ledger.payout.dueWork(batch.id, lane, 1)));
    if (due.some(({ toSend }) => toSend > 0)) continue;
    const states = await ledger.payout.progressOf(batch.id);
    const accepted = states.find(({ state }) => state === "accepted")?.count ?? 0;
    if (accepted === rows) return rows / ((performance.now() - startedMs) / 1000);
    if (states.some(({ state }) => state === "on_hold" || state === "declined"))
      throw new Error("not all payouts were accepted");
  }
}

const GATEWAY_DELAY_MS = 50;

const startTls = (url: string, folder: string) =>
  start(
    process.execPath,
    ["bench/process/tls-gateway.ts", url, String(GATEWAY_DELAY_MS), folder],
    {},
    /(https:\S+)/,
  );

/** Starts a Redis server in a folder and returns its URL. */
export async function startRedis(
  folder: string,
): Promise<{ url: string; stop: () => Promise<void> }> {
  const settings = {
    bind: "127.0.0.1",
    dir: folder,
    save: "",
    appendonly: "yes",
    "maxmemory-policy": "noeviction",
  };
  return onFreePort(async (port) => {
    const all = Object.entries({ ...settings, port: String(port) });
    const words = all.flatMap(([name, value]) => [`--${name}`, value]);
    try {
      const server = await start("redis-server", words, {}, /Ready to accept connections/);
      return { url: `redis://127.0.0.1:${port}`, stop: () => server.stop() };
    } catch (error) {
      if (String(error).includes("Address already in use")) return null;
      throw error;
    }
  });
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      rows: { type: "string", default: "20000" },
      runs: { type: "string", default: "3" },
      engine: { type: "string", default: "redis" },
      gateway: { type: "string", default: "plain" },
      loop: { type: "string" },
    },
  });
  const result = await measureThroughput(
    values.engine as Engine,
    Number(values.rows),
    Number(values.runs),
    values.gateway as GatewayLink,
    values.loop,
  );
  process.stdout.write(`${JSON.stringify(result)}\n`);
  process.exit(0);
}
