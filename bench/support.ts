import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { DEMO_MERCHANTS } from "#simulator/demo-merchants.ts";

export const ROOT = join(import.meta.dirname, "..");

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** A folder that is gone when the process ends. */
export function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), "payrun-bench-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/** A process of the benchmark, with the last line that matched on stderr or stdout. */
export interface Started {
  readonly child: ChildProcess;
  readonly match: RegExpExecArray;
  stop(signal?: NodeJS.Signals): Promise<void>;
}

const running = new Set<ChildProcess>();
process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/** Starts a process and waits for a line that shows that it is ready. */
export async function start(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  ready: RegExp,
): Promise<Started> {
  const child = spawn(command, args, { cwd: ROOT, env: { ...process.env, ...env } });
  running.add(child);
  child.once("exit", () => running.delete(child));
  const seen: string[] = [];
  const match = await new Promise<RegExpExecArray>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      if (!stream) continue;
      createInterface({ input: stream }).on("line", (line) => {
        seen.push(line);
        const found = ready.exec(line);
        if (found) resolve(found);
      });
    }
    child.once("exit", () => reject(new Error(`${command} ended: ${seen.join("\n")}`)));
  });
  return {
    child,
    match,
    async stop(signal = "SIGTERM") {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill(signal);
      await once(child, "exit");
    },
  };
}

/** Runs a process to its end and returns what it printed. */
export async function run(command: string, args: readonly string[]): Promise<string> {
  const child = spawn(command, args, { cwd: ROOT, stdio: ["ignore", "pipe", "inherit"] });
  running.add(child);
  let printed = "";
  child.stdout.on("data", (chunk: Buffer) => {
    printed += chunk.toString();
  });
  const [code] = (await once(child, "exit")) as [number];
  running.delete(child);
  if (code !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${code}`);
  return printed.trim();
}

export const startSimulator = (folder: string, name: string) =>
  start(
    process.execPath,
    [
      "simulator/main.ts",
      "--port",
      "0",
      "--settle-ms",
      "3600000",
      "--book",
      join(folder, `${name}.jsonl`),
    ],
    {},
    /(http:\/\/[^\s,]+)/,
  );

export function writeMerchants(folder: string): string {
  const file = join(folder, "merchants.json");
  writeFileSync(file, JSON.stringify(DEMO_MERCHANTS));
  return file;
}

/** A file of INR payouts; every run gets amounts of its own, so that every file is a batch of its own. */
export function writeInrFile(file: string, rows: number, run: number): string {
  const lines = [
    "user_id,currency_code,transaction_amount,account_name,bank_account_number,ifsc_code,bank_code,bank_name",
  ];
  for (let row = 0; row < rows; row++) {
    const account = 10_000_000_000 + run * 1_000_000 + row;
    lines.push(
      `U${row},INR,${100 + (row % 900)}.${String(run % 100).padStart(2, "0")},Asha Rao,${account},HDFC0000001,HDFC,HDFC Bank`,
    );
  }
  writeFileSync(file, `${lines.join("\n")}\n`);
  return file;
}
