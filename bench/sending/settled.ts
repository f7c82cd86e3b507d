/**
 * Payouts per second from approved to settled, with at least one status query for each, compared
 * with a hand-written loop that also queries each payout. Prints medians, the processor time per
 * payout in PostgreSQL and in the workers, and the bytes per payout. A busy machine lengthens the
 * elapsed time but hardly affects the processor time.
 *
 * Run as: node bench/sending/settled.ts [--rows N] [--runs N] [--engine redis|embedded]
 * [--profile FOLDER] [--loop got|undici]
 */
import { createReadStream } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { sql } from "kysely";
import { readConfig } from "#app/config.ts";
import { openPayrun, type Payrun } from "#app/wiring.ts";
import { approve, totalsOf } from "#flows/approval/approve.ts";
import { ingest } from "#flows/intake/ingest.ts";
import {
  clusterCpuSeconds,
  median,
  run,
  scratch,
  start,
  startSimulator,
  usedBy,
  writeInrFile,
} from "../support.ts";
import { type Engine, engineSettings, startRedis } from "../throughput.ts";

/** Figures of one run from the approval to the last settlement. */
interface Settling {
  readonly perSecond: number;
  /** Processor time per payout. */
  readonly postgresMs: number;
  readonly workerMs: number;
  /** Growth of the database since the rows were ingested, and by ingesting them. */
  readonly settledBytes: number;
  readonly ingestedBytes: number;
}

interface Settled extends Settling {
  readonly engine: Engine;
  readonly loopPerSecond: number;
  readonly ratio: number;
}

const WORKERS = 2;
/** The first status query follows this many milliseconds after the acceptance. */
const RESOLVE_AFTER_MS = 1_000;

/** Measures the way of payouts from approved to settled. */
export async function measureSettled(
  engine: Engine,
  rows: number,
  runs: number,
  { profile: profileFolder, loop: loopClient = "got" }: { profile?: string; loop?: string } = {},
): Promise<Settled> {
  const folder = scratch();
  const simulator = await startSimulator(folder, engine, 0);
  const url = simulator.match[1] ?? "";
  const redis = engine === "redis" ? await startRedis(folder) : null;
  const env = {
    ...(await engineSettings(folder, { redisUrl: redis?.url, gatewayUrl: url })),
    RESOLVE_AFTER_MS: String(RESOLVE_AFTER_MS),
  };
  const profile = profileFolder ? `--cpu-prof --cpu-prof-dir=${profileFolder}` : "";
  const payrun = await openPayrun(readConfig(env));
  const workers = await Promise.all(
    Array.from({ length: WORKERS }, () =>
      start("./payrun", ["worker"], { ...env, NODE_OPTIONS: profile }, /workers are running/),
    ),
  );
  const pids = workers.map(({ child }) => child.pid);
  const ours: Settling[] = [];
  const loops: number[] = [];
  try {
    for (let turn = 0; turn <= runs; turn++) {
      const file = writeInrFile(join(folder, `${turn}.csv`), rows, turn);
      const words = ["bench/process/loop.ts", file, url, "--query", "--client", loopClient];
      const loop = Number(await run(process.execPath, words, env));
      const mine = await settleOnce(file, payrun, rows, pids);
      process.stderr.write(
        `  ${engine} ${turn === 0 ? "(warm-up) " : ""}${JSON.stringify(mine)}, loop ${loop.toFixed(0)}/s\n`,
      );
      if (turn === 0) continue;
      ours.push(mine);
      loops.push(loop);
    }
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()));
    await payrun.close();
    await simulator.stop();
    await redis?.stop();
  }
  const middle = (name: keyof Settling) => median(ours.map((each) => each[name]));
  return {
    engine,
    perSecond: middle("perSecond"),
    loopPerSecond: median(loops),
    ratio: middle("perSecond") / median(loops),
    postgresMs: middle("postgresMs"),
    workerMs: middle("workerMs"),
    ingestedBytes: middle("ingestedBytes"),
    settledBytes: middle("settledBytes"),
  };
}

async function settleOnce(
  file: string,
  { ledger, database, keyring, rows: settings }: Payrun,
  rows: number,
  workerPids: readonly (number | undefined)[],
): Promise<Settling> {
  const sizeOf = async () => {
    const { rows: sizes } = await sql<{ bytes: number }>`
      select pg_database_size(current_database()) as bytes`.execute(database);
    return sizes[0]?.bytes ?? Number.NaN;
  };
  const workerSeconds = () =>
    workerPids.reduce<number>((sum, pid) => sum + (usedBy(pid)?.cpuSeconds ?? Number.NaN), 0);
  const emptyBytes = await sizeOf();
  const upload = { fileName: file, open: () => createReadStream(file), actor: "bench" };
  const taken = await ingest(upload, { ledger, keyring, rows: settings });
  if (!taken.ok) throw new Error("the file was refused");
  const { batch } = taken.value;
  const ingestedBytes = (await sizeOf()) - emptyBytes;
  const before = { postgres: await clusterCpuSeconds(database), workers: workerSeconds() };
  const startedMs = performance.now();
  await approve(
    batch.id,
    { actor: "bench", contentDigest: batch.contentDigest, totals: totalsOf(batch) },
    { ledger },
  );
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    const { rows: states } = await sql<{ state: string }>`
      select state from batches where id = ${batch.id}`.execute(database);
    if (states[0]?.state === "finished") break;
    if (states[0]?.state !== "approved") throw new Error(`the batch is ${states[0]?.state}`);
  }
  const seconds = (performance.now() - startedMs) / 1000;
  const postgres = (await clusterCpuSeconds(database)) - before.postgres;
  return {
    perSecond: rows / seconds,
    postgresMs: (postgres * 1000) / rows,
    workerMs: ((workerSeconds() - before.workers) * 1000) / rows,
    ingestedBytes: ingestedBytes / rows,
    settledBytes: ((await sizeOf()) - emptyBytes - ingestedBytes) / rows,
  };
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      rows: { type: "string", default: "20000" },
      runs: { type: "string", default: "3" },
      engine: { type: "string", default: "redis" },
      profile: { type: "string" },
      loop: { type: "string" },
    },
  });
  const { engine, rows, runs, ...options } = values;
  const result = await measureSettled(engine as Engine, Number(rows), Number(runs), options);
  process.stdout.write(`${JSON.stringify(result)}\n`);
  process.exit(0);
}
