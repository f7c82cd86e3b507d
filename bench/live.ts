/**
 * Payouts per second from approved to accepted while 50 people watch the batch, alternating with
 * runs that nobody watches. Other load on the machine can hide a difference of a few percent. It
 * does not affect the processor time of the payrun processes and of PostgreSQL.
 */
import { join } from "node:path";
import { got } from "got";
import { readConfig } from "#app/config.ts";
import { openPayrun } from "#app/wiring.ts";
import {
  cpuSeconds,
  databaseOf,
  median,
  scratch,
  serverProcesses,
  signIn,
  start,
  startSimulator,
  writeInrFile,
  writeMerchants,
} from "./support.ts";
import { payOnce } from "./throughput.ts";

export interface LiveFigures {
  /** Medians of the runs. */
  readonly watched: number;
  readonly unwatched: number;
  /** Processor time per payout, watched divided by unwatched. */
  readonly cpuRatio: number;
  readonly eventsSeen: number;
}

const WATCHERS = 50;
/** A session may have at most ten streams. */
const STREAMS_OF_ONE = 10;

/** Measures payouts per second with and without people who watch. */
export async function measureLive(rows: number, runs: number): Promise<LiveFigures> {
  const folder = scratch();
  const simulator = await startSimulator(folder, "live");
  const kept = join(folder, "data");
  const env = {
    ...(await databaseOf(kept)),
    REDIS_URL: "",
    PAYRUN_DATA: kept,
    PAYRUN_KEY: "c3d1f2a7905e4b86d7e80f1523946ab8be6702914dfa53c81b9e76d40f3a8c25",
    GATEWAY_URL: simulator.match[1] ?? "",
    MERCHANTS_FILE: writeMerchants(folder),
    SUBMIT_CONCURRENCY: "64",
    RESOLVE_AFTER_MS: "3600000",
    LOG_LEVEL: "warn",
  };
  const payrun = await openPayrun(readConfig(env));
  const server = await start("./payrun", ["serve", "--port", "0"], env, /listening at ([^\s;]+)/);
  const people = await Promise.all(
    Array.from({ length: WATCHERS / STREAMS_OF_ONE }, () => signIn(payrun.database, ["viewer"])),
  );
  let eventsSeen = 0;
  const watch = (batchId: string): { leave(): void } => {
    const url = `${server.match[1]}/api/live?topics=batch:${batchId}`;
    const streams = people.flatMap((headers) =>
      Array.from({ length: STREAMS_OF_ONE }, () => got.stream(url, { headers })),
    );
    for (const stream of streams) {
      stream.on("data", (piece: Buffer) => {
        if (piece.includes(`event: batch:${batchId}`)) eventsSeen += 1;
      });
      stream.on("error", () => {}); // end of the stream
    }
    return { leave: () => streams.forEach((stream) => stream.destroy()) };
  };
  const rates = { watched: [] as number[], unwatched: [] as number[] };
  const costs = { watched: [] as number[], unwatched: [] as number[] };
  try {
    for (let turn = 0; turn <= runs * 2; turn++) {
      const kind = turn % 2 === 1 ? "watched" : "unwatched";
      const file = writeInrFile(join(folder, `${turn}.csv`), rows, turn);
      const processes = [server.child.pid ?? 0, ...(await serverProcesses(payrun.database))];
      let watching = { leave() {} };
      let before = 0;
      const rate = await payOnce(file, payrun, rows, (batchId) => {
        before = cpuSeconds(processes);
        if (kind === "watched") watching = watch(batchId);
      });
      const cost = (cpuSeconds(processes) - before) / rows;
      watching.leave();
      process.stderr.write(
        `  ${turn === 0 ? "(warm-up) " : ""}${kind} ${rate.toFixed(0)}/s, ${(cost * 1e6).toFixed(0)} µs a payout\n`,
      );
      if (turn === 0) continue;
      rates[kind].push(rate);
      costs[kind].push(cost);
    }
  } finally {
    await server.stop();
    await payrun.close();
    await simulator.stop();
  }
  return {
    watched: median(rates.watched),
    unwatched: median(rates.unwatched),
    cpuRatio: median(costs.watched) / median(costs.unwatched),
    eventsSeen,
  };
}
