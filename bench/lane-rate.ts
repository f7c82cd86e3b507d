/**
 * How closely four worker processes keep a lane's rate limit during one minute in which one worker
 * is killed every five seconds, counted in the simulator's transaction log.
 */
import { createReadStream, readFileSync } from "node:fs";
import { join } from "node:path";
import { approve, totalsOf } from "#flows/approval/approve.ts";
import { ingest } from "#flows/intake/ingest.ts";
import { readConfig } from "#app/config.ts";
import { openPayrun } from "#app/wiring.ts";
import {
  databaseOf,
  scratch,
  start,
  startSimulator,
  writeInrFile,
  writeMerchants,
} from "./support.ts";
import { type Engine, startRedis } from "./throughput.ts";

export interface LaneRate {
  readonly wanted: number;
  /** Requests per second over the minute. */
  readonly sent: number;
  readonly kills: number;
}

const WORKERS = 4;
const RATE = 50;
const SECOND_MS = 1_000;
const MINUTE_SECONDS = 60;
const WARM_UP_SECONDS = 5;
const KILL_EVERY_SECONDS = 5;

const wait = (seconds: number) =>
  new Promise((resolve) => setTimeout(resolve, seconds * SECOND_MS));

/** Measures how closely workers keep the rate limit of a lane. */
export async function measureLaneRate(engine: Engine): Promise<LaneRate> {
  const folder = scratch();
  const simulator = await startSimulator(folder, "lane-rate");
  const redis = engine === "redis" ? await startRedis(folder) : null;
  const kept = join(folder, "data");
  const env = {
    ...(await databaseOf(kept)),
    REDIS_URL: redis?.url ?? "",
    PAYRUN_DATA: kept,
    PAYRUN_KEY: "c3d1f2a7905e4b86d7e80f1523946ab8be6702914dfa53c81b9e76d40f3a8c25",
    GATEWAY_URL: simulator.match[1] ?? "",
    MERCHANTS_FILE: writeMerchants(folder),
    SUBMIT_CONCURRENCY: "16",
    RESOLVE_AFTER_MS: "3600000",
    LOG_LEVEL: "warn",
  };
  const payrun = await openPayrun(readConfig(env));
  const worker = () => start("./payrun", ["worker"], env, /workers are running/);
  const workers = Array.from({ length: WORKERS }, worker);
  await Promise.all(workers);
  let kills = 0;
  try {
    const rows = RATE * (MINUTE_SECONDS + WARM_UP_SECONDS) * 2;
    const file = writeInrFile(join(folder, "paced.csv"), rows, 1);
    const upload = { fileName: file, open: () => createReadStream(file), actor: "bench" };
    const taken = await ingest(upload, payrun);
    if (!taken.ok) throw new Error("the file was refused");
    const { batch } = taken.value;
    const lane = batch.lanes[0]?.lane ?? "";
    await payrun.ledger.payout.limitLane({ lane, rate: RATE, reason: "bench", actor: "bench" });
    const seen = { actor: "bench", contentDigest: batch.contentDigest, totals: totalsOf(batch) };
    await approve(batch.id, seen, payrun);
    await wait(WARM_UP_SECONDS);
    const fromMs = Date.now();
    for (let second = 0; second < MINUTE_SECONDS; second += KILL_EVERY_SECONDS) {
      await wait(KILL_EVERY_SECONDS);
      await (await workers.shift())?.stop("SIGKILL");
      kills += 1;
      workers.push(worker());
    }
    const toMs = Date.now();
    const book = readFileSync(join(folder, "lane-rate.jsonl"), "utf8").trimEnd().split("\n");
    const asked = book
      .map((line) => JSON.parse(line) as { at: number; event: string })
      .filter(({ at, event }) => REQUESTS.has(event) && at >= fromMs && at < toMs);
    return { wanted: RATE, sent: asked.length / ((toMs - fromMs) / SECOND_MS), kills };
  } finally {
    await Promise.all(workers.map(async (one) => (await one).stop()));
    await payrun.close();
    await simulator.stop();
    await redis?.stop();
  }
}

/** Every request that sends a payout adds one of these events. */
const REQUESTS: ReadonlySet<string> = new Set(["accepted", "refused", "request"]);
