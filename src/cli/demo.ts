import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { createInterface } from "node:readline";
import type { Command } from "commander";
import { systemClock } from "#clock.ts";
import { EXIT, type ExitCode } from "#cli/exit.ts";
import { actor, print, say, styled } from "#cli/output.ts";
import type { Payrun } from "#wiring.ts";

export function demoCommand(program: Command): void {
  program
    .command("demo")
    .description("pay the mixed sample through a simulated gateway, on this machine alone")
    .option("--once", "end after the batch instead of leaving the server running")
    .action(demo);
}

const ROOT = join(import.meta.dirname, "../..");
const SAMPLE = join(ROOT, "samples/mixed.csv");
const SIMULATOR = join(ROOT, "simulator/main.ts");
const FAULTS = join(ROOT, "simulator/demo-faults.json");

/**
 * Embedded PostgreSQL, the simulated gateway as a process of its own, HTTP for callbacks, workers, and one batch
 * paid before your eyes. It has a data folder of its own and reads neither database, queue nor merchants from the
 * environment: a demo must not touch real ones.
 */
async function demo({ once }: { once?: boolean }): Promise<void> {
  const { readConfig, dataFolder } = await import("#config.ts");
  const { makeDataFolder, openPayrun } = await import("#wiring.ts");
  const { startServer } = await import("#cli/serve.ts");
  const { onInterrupt } = await import("#cli/signals.ts");
  const { DEMO_MERCHANTS } = await import("#simulator/demo-merchants.ts");

  const asked = readConfig({ GATEWAY_URL: "" }, { LOG_LEVEL: "fatal" });
  const folder = join(dataFolder(asked), "demo");
  await makeDataFolder(folder);
  const merchants = join(folder, "merchants.json");
  writeFileSync(merchants, JSON.stringify(DEMO_MERCHANTS, null, 2));

  const interrupted = onInterrupt("Ending the demo.");
  const simulator = await startSimulator(join(folder, "simulator-book.jsonl"));
  say(`simulated gateway  ${simulator.url}  (its book: ${simulator.url}/book)`);
  try {
    const port = String(await freePort(asked.PORT));
    const config = readConfig({
      DATABASE_URL: "",
      REDIS_URL: "",
      PAYRUN_KEY: "",
      PAYRUN_DATA: folder,
      GATEWAY_URL: simulator.url,
      GATEWAY_PAYOUT_LAYOUT: "name=value",
      GATEWAY_ESCAPING: "none",
      MERCHANTS_FILE: merchants,
      MERCHANT_CODE: "",
      MERCHANT_API_KEY: "",
      MERCHANT_API_SECRET: "",
      PAYOUT_CODE: "",
      HOST: "127.0.0.1",
      PORT: port,
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      RESOLVE_AFTER_MS: "2000",
      LOG_LEVEL: asked.LOG_LEVEL,
    });
    const payrun = await openPayrun(config);
    say(`ledger             embedded PostgreSQL in ${relative(process.cwd(), folder)}`);
    const server = await startServer(payrun, { workers: true });
    say(`payrun             ${server.url}  (callbacks, health)\n`);
    try {
      const file = freshSample(folder);
      const code = await paySample(file, payrun, interrupted);
      if (code !== EXIT.ok) process.exitCode = code === EXIT.declined ? EXIT.ok : code; // declined payouts belong to the sample
      const prefix = `PAYRUN_DATA=${relative(process.cwd(), folder)} ./payrun`;
      say(`\n${styled("bold", "Look closer, in another terminal:", process.stderr)}`);
      say(`  ${prefix} batch list`);
      say(`  ${prefix} payout show CODE`);
      if (!once && !interrupted.aborted) {
        say("\nThe server stays up. Ctrl-C ends it.");
        await new Promise((end) => interrupted.addEventListener("abort", end, { once: true }));
      }
    } finally {
      await server.close();
      await payrun.close();
    }
  } finally {
    await simulator.stop();
  }
}

/** Pays the file with the totals that it has itself: its approver is the one who started the demo. */
async function paySample(
  file: string,
  payrun: Payrun,
  interrupted: AbortSignal,
): Promise<ExitCode> {
  const { takeIn } = await import("#cli/pay.ts");
  const { conclude } = await import("#cli/ending.ts");
  const { waitForBatch } = await import("#cli/wait.ts");
  const { approve, totalsOf } = await import("#flows/approve.ts");
  const { ledger, deps } = payrun;
  const { clock } = deps;
  const startedMs = clock.monotonicMs();
  const batch = await takeIn(file, {}, payrun);
  const { contentDigest } = batch;
  await approve(batch.id, { actor: actor(), contentDigest, totals: totalsOf(batch) }, { ledger });
  const waited = await waitForBatch(batch.id, { ledger, clock, interrupted });
  return conclude(batch, waited, { startedMs, json: false }, payrun);
}

/** The sample with a reference (its last column) of its own: the same file would be the same batch, paid already. */
function freshSample(folder: string): string {
  const stamp = new Date(systemClock.nowMs()).toISOString().replaceAll(":", "-");
  const [header = "", ...rows] = readFileSync(SAMPLE, "utf8").trimEnd().split("\n");
  const text = [header, ...rows.map((row) => row.replace(/[^,]*$/, `demo ${stamp}`))].join("\n");
  const file = join(folder, `mixed-${stamp}.csv`);
  writeFileSync(file, `${text}\n`);
  print(
    `paying ${relative(process.cwd(), resolve(file))} (${rows.length} rows, from samples/mixed.csv)`,
  );
  return file;
}

async function startSimulator(book: string): Promise<{ url: string; stop: () => Promise<void> }> {
  const settings = ["--port", "0", "--book", book, "--settle-ms", "1500", "--faults", FAULTS];
  const child = spawn(process.execPath, [SIMULATOR, ...settings], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  // Also when this process is ended at once: a second Ctrl-C, a closed pipe.
  process.once("exit", () => child.kill());
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const lines: string[] = [];
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stderr }).on("line", (line) => {
      lines.push(line);
      const match = /http:\/\/\S+?(?=,|\s|$)/.exec(line);
      if (match) resolve(match[0]);
    });
    child.once("exit", () => reject(new Error(`the simulator did not start: ${lines.join(" ")}`)));
  });
  return {
    url,
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

/** The wanted port, or a free one when something listens there. */
async function freePort(wanted: number): Promise<number> {
  const { createServer } = await import("node:net");
  const listen = (port: number) =>
    new Promise<number | null>((resolve) => {
      const server = createServer();
      server.once("error", () => resolve(null));
      server.listen(port, "127.0.0.1", () => {
        const address = server.address();
        server.close(() => resolve(typeof address === "object" && address ? address.port : null));
      });
    });
  return (await listen(wanted)) ?? (await listen(0)) ?? wanted;
}
