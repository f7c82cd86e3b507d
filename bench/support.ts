import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { sql } from "kysely";
import { readConfig } from "#app/config.ts";
import { cookieName, csrfToken } from "#http/server/person.ts";
import type { Database } from "#ledger/store/database.ts";
import { startEmbedded } from "#ledger/embedded/start.ts";
import { openSession } from "#ledger/people/sessions.ts";
import { insertUser } from "#ledger/people/users.ts";
import type { Role } from "#people/roles.ts";
import { DEMO_MERCHANTS } from "#simulator/demo-merchants.ts";
import { openPayrun, type Payrun } from "#app/wiring.ts";

export const ROOT = join(import.meta.dirname, "..");

/** Returns the median; NaN without values. */
export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** Linux counts processor time in hundredths of a second. */
const TICKS_PER_SECOND = 100;

export interface Used {
  readonly cpuSeconds: number;
  readonly megabytes: number;
  readonly peakMegabytes: number;
}

/**
 * Resources used by a process so far, from the kernel. Null: it has exited, or there is no /proc.
 */
export function usedBy(pid: number | undefined): Used | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    const megabytes = (name: string) =>
      Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1_024;
    const memory = { megabytes: megabytes("VmRSS"), peakMegabytes: megabytes("VmHWM") };
    const fields = statOf(pid) ?? [];
    // utime and stime.
    const ticks = Number(fields[11]) + Number(fields[12]);
    // A process that has exited but is not yet reaped no longer has memory.
    if (Number.isNaN(memory.megabytes)) return null;
    return { cpuSeconds: ticks / TICKS_PER_SECOND, ...memory };
  } catch {
    return null;
  }
}

/**
 * The kernel's figures about a process, from the third on: the second one is a name in parentheses,
 * which may contain blanks. Null: it has exited, or there is no /proc.
 */
function statOf(pid: number | undefined): readonly string[] | null {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? null;
  } catch {
    return null;
  }
}

/** The PostgreSQL processes that serve this database, if they run on this machine. */
export async function serverProcesses(database: Database): Promise<number[]> {
  const { rows } = await sql<{ pid: number }>`select pid from pg_stat_activity`.execute(database);
  return rows.map(({ pid }) => pid);
}

/** Adds up the processor time of processes, in seconds. */
export const cpuSeconds = (pids: readonly number[]): number =>
  pids.reduce((sum, pid) => sum + (usedBy(pid)?.cpuSeconds ?? 0), 0);

/**
 * Adds up the processor time of a PostgreSQL server on this machine, in seconds, including server
 * processes that have exited. NaN: it runs elsewhere.
 */
export async function clusterCpuSeconds(database: Database): Promise<number> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(database);
  const [backend] = rows;
  const parent = statOf(backend?.pid)?.[1];
  const postmaster = statOf(Number(parent));
  if (!postmaster) return Number.NaN;
  const children = readdirSync("/proc").flatMap((name) => {
    const stat = /^\d+$/.test(name) ? statOf(Number(name)) : null;
    return stat !== null && stat[1] === parent ? [stat] : [];
  });
  const own = (stat: readonly string[]) => Number(stat[11]) + Number(stat[12]);
  const exited = Number(postmaster[13]) + Number(postmaster[14]);
  const ticks = children.reduce((sum, stat) => sum + own(stat), own(postmaster) + exited);
  return ticks / TICKS_PER_SECOND;
}

/** A folder that is removed when the process exits. */
export function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), "payrun-bench-"));
  // As root, the PostgreSQL account must be able to enter. Otherwise the cluster would be created
  // elsewhere and remain there.
  chmodSync(folder, 0o755);
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

/** Starts a process and waits for the line that shows it is ready. */
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
    child.once("exit", () => reject(new Error(`${command} exited: ${seen.join("\n")}`)));
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

/** Runs a process until it exits and returns its output. */
export async function run(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const child = spawn(command, args, {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  running.add(child);
  let printed = "";
  child.stdout.on("data", (chunk: Buffer) => {
    printed += chunk.toString();
  });
  const [code] = (await once(child, "exit")) as [number];
  running.delete(child);
  if (code !== 0) throw new Error(`${command} ${args.join(" ")} exited with ${code}`);
  return printed.trim();
}

/** Starts the simulated gateway in a process of its own. */
export const startSimulator = (folder: string, name: string, settleMs = 3_600_000) =>
  start(
    process.execPath,
    [
      "simulator/main.ts",
      "--port",
      "0",
      "--settle-ms",
      String(settleMs),
      "--transaction-log",
      join(folder, `${name}.jsonl`),
    ],
    {},
    /(http:\/\/[^\s,]+)/,
  );

/** Writes the merchants file of the demo and returns its path. */
export function writeMerchants(folder: string): string {
  const file = join(folder, "merchants.json");
  writeFileSync(file, JSON.stringify(DEMO_MERCHANTS));
  return file;
}

/** The embedded database of this folder, as the settings name one. */
export async function databaseOf(folder: string) {
  const { url, ownerUrl } = await startEmbedded(folder);
  return { DATABASE_URL: url, DATABASE_OWNER_URL: ownerUrl };
}

/** The settings of payrun in this folder, on an embedded database. Its gateway does not exist. */
export async function settingsIn(folder: string) {
  const kept = join(folder, "data");
  return {
    ...(await databaseOf(kept)),
    REDIS_URL: "",
    PAYRUN_DATA: kept,
    PAYRUN_KEY: "c3d1f2a7905e4b86d7e80f1523946ab8be6702914dfa53c81b9e76d40f3a8c25",
    GATEWAY_URL: "http://127.0.0.1:1",
    MERCHANTS_FILE: writeMerchants(folder),
    LOG_LEVEL: "warn",
  };
}

/** payrun on its own embedded ledger in this folder. Its gateway does not exist. */
export const openEmbedded = (folder: string): Promise<Payrun> =>
  openPayrun(
    readConfig({
      DATABASE_URL: "",
      REDIS_URL: "",
      PAYRUN_DATA: join(folder, "data"),
      GATEWAY_URL: "http://127.0.0.1:1",
      MERCHANTS_FILE: writeMerchants(folder),
      LOG_LEVEL: "warn",
    }),
  );

/** Signs in a user with these roles and returns the headers for their requests. */
export async function signIn(
  database: Database,
  roles: readonly Role[],
): Promise<{ readonly cookie: string; readonly "x-payrun-csrf": string }> {
  await database.deleteFrom("second_factor_roles").execute();
  const at = new Date();
  const email = `${roles.join(".")}-${randomUUID()}@example.test`;
  const userId = await insertUser(database, { email, name: "bench", roles, at });
  const visit = { userId, secure: false, address: "127.0.0.1", agent: "bench", at };
  const token = (await openSession(database, visit)).token.reveal();
  return { cookie: `${cookieName(false)}=${token}`, "x-payrun-csrf": csrfToken(token) };
}

/**
 * A file of INR payouts. Every run uses different amounts, so every file is a new batch.
 *
 * @param wrongEvery one row in this many has a wrong IFSC; 0: no row.
 */
export function writeInrFile(file: string, rows: number, run: number, wrongEvery = 0): string {
  const lines = [
    "user_id,currency_code,transaction_amount,account_name,bank_account_number,ifsc_code,bank_code,bank_name",
  ];
  for (let row = 0; row < rows; row++) {
    const account = 10_000_000_000 + run * 1_000_000 + row;
    const ifsc = wrongEvery > 0 && row % wrongEvery === 0 ? "HDFCO000001" : "HDFC0000001";
    lines.push(
      `U${row},INR,${100 + (row % 900)}.${String(run % 100).padStart(2, "0")},Asha Rao,${account},${ifsc},HDFC,HDFC Bank`,
    );
  }
  writeFileSync(file, `${lines.join("\n")}\n`);
  return file;
}
