import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import type { ResultDocument } from "#cli/batch/result.ts";
import { DEMO_MERCHANTS } from "#simulator/demo-merchants.ts";
import { atExit } from "./at-exit.ts";
import { onFreePort } from "./ports.ts";

export const ROOT = join(import.meta.dirname, "../..", "..");

export type Env = Readonly<Record<string, string>>;

/** How a run of the command line ended. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly child: ChildProcess;
  /** All output so far, both streams together. */
  said(): string;
  /** Resolves with the first match in the output; rejects when the process exits without one. */
  says(words: RegExp): Promise<RegExpExecArray>;
  readonly ended: Promise<Ended>;
  end(signal: NodeJS.Signals): Promise<Ended>;
}

/** A folder that is removed when the process that created it exits. */
export function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), "payrun-test-"));
  atExit(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}

/** Starts the real `./payrun` in a separate folder, so a developer's `.env` has no effect. */
export function startPayrun(args: readonly string[], env: Env = {}, cwd = tmpdir()): Running {
  // TEST_PROGRAM: another release of payrun.
  return follow(env["TEST_PROGRAM"] ?? join(ROOT, "payrun"), args, env, cwd);
}

/** Starts `payrun serve` at its PUBLIC_URL, which must be known before it listens. */
export const startServe = (env: Env): Promise<{ readonly url: string; readonly server: Running }> =>
  onFreePort(async (port) => {
    const url = `http://127.0.0.1:${port}`;
    const server = startPayrun(["serve"], { ...env, PORT: String(port), PUBLIC_URL: url });
    try {
      await server.says(/listening at/);
      return { url, server };
    } catch (error) {
      if (server.said().includes("another process is already listening on this port")) return null;
      throw error;
    }
  });

/** Runs it until it exits. */
export const runPayrun = (args: readonly string[], env: Env = {}, cwd?: string): Promise<Ended> =>
  startPayrun(args, env, cwd).ended;

let turn: Promise<unknown> = Promise.resolve();

/**
 * Runs a command in this process, one after another, to test its output and effects. Use
 * `runPayrun` to test that a process exits, and with which code: it takes a second of processor
 * time.
 */
export function runHere(args: readonly string[], env: Env = {}): Promise<Ended> {
  const ended = turn.then(() => captured(args, env));
  turn = ended.catch(() => {});
  return ended;
}

async function captured(args: readonly string[], env: Env): Promise<Ended> {
  const { run } = await import("#cli/app/run.ts");
  const { stdout, stderr, env: own } = process;
  const said = { stdout: "", stderr: "" };
  // Separate streams: listeners that a command leaves on them disappear with them.
  const hear = (name: keyof typeof said) =>
    new Writable({
      write(piece: Buffer, _encoding, heard) {
        said[name] += piece.toString();
        heard();
      },
    });
  const before = SIGNALS.map((signal) => process.listeners(signal));
  stand({ stdout: hear("stdout"), stderr: hear("stderr") });
  process.env = surroundings(env);
  process.exitCode = undefined;
  try {
    await run(args);
    return { code: exitCode(), signal: null, ...said };
  } finally {
    process.exitCode = undefined;
    process.env = own;
    stand({ stdout, stderr });
    for (const [at, signal] of SIGNALS.entries()) {
      const added = process.listeners(signal).filter((each) => !before[at]?.includes(each));
      for (const listener of added) process.off(signal, listener);
    }
  }
}

function stand(streams: { readonly stdout: Writable; readonly stderr: Writable }): void {
  for (const [name, value] of Object.entries(streams)) {
    Object.defineProperty(process, name, { value, configurable: true });
  }
}

const exitCode = (): number => Number(process.exitCode ?? 0);
const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/** Starts one of our scripts under this Node. */
export const startScript = (script: string, args: readonly string[], env: Env): Running =>
  follow(process.execPath, ["--disable-warning=ExperimentalWarning", script, ...args], env);

let sharedData: string | null = null;

const children = new Set<ChildProcess>();
atExit(() => {
  for (const child of children) child.kill("SIGKILL");
});

function surroundings(env: Env): Env {
  const { PATH = "", HOME = "", NODE_COMPILE_CACHE = "" } = process.env;
  const folder = (sharedData ??= scratch());
  return { PATH, HOME, NODE_COMPILE_CACHE, LOG_LEVEL: "error", PAYRUN_DATA: folder, ...env };
}

function follow(command: string, args: readonly string[], env: Env, cwd = tmpdir()): Running {
  const child = spawn(command, args, {
    cwd,
    env: surroundings(env),
    stdio: ["ignore", "pipe", "pipe"],
  });
  children.add(child);
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (piece: Buffer) => {
    stdout += piece.toString();
  });
  child.stderr.on("data", (piece: Buffer) => {
    stderr += piece.toString();
  });
  const ended = new Promise<Ended>((resolve) => {
    child.once("close", (code, signal) => {
      children.delete(child);
      resolve({ code, signal, stdout, stderr });
    });
  });
  const said = () => stdout + stderr;
  return {
    child,
    said,
    ended,
    says: (words) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const match = words.exec(stdout) ?? words.exec(stderr);
          if (match) resolve(match);
        };
        child.stdout.on("data", look);
        child.stderr.on("data", look);
        look();
        void ended.then(({ code }) => reject(new Error(`ended with ${code}: ${said()}`)));
      }),
    end(signal) {
      child.kill(signal);
      return ended;
    },
  };
}

/** Output of `pay --json`; fails with the output where it is not a document. */
export function documentOf({ stdout, stderr, code }: Ended): ResultDocument {
  try {
    return JSON.parse(stdout) as ResultDocument;
  } catch {
    throw new Error(`no document on stdout (exit ${code}): ${stdout}\n${stderr}`);
  }
}

/** A key of another ledger. */
export const OTHER_KEY = "91e07c5ab2d84f6310f9ce8d27a46b53e8150dc37f6294bb0a1d83f7c25e96b4";

/** Short times, so that an end-to-end test takes seconds; a key, as with an external database. */
export const FAST: Env = {
  PAYRUN_KEY: "c3d1f2a7905e4b86d7e80f1523946ab8be6702914dfa53c81b9e76d40f3a8c25",
  RESOLVE_AFTER_MS: "200",
  RESEND_AFTER_MS: "200",
  GATEWAY_TIMEOUT_MS: "1000",
};

/** The simulator's merchants as the file that payrun reads. */
export function merchantsFile(
  folder: string,
  change: (entry: (typeof DEMO_MERCHANTS)[number]) => (typeof DEMO_MERCHANTS)[number] = (entry) =>
    entry,
): string {
  const file = join(folder, `merchants-${fileNumber++}.json`);
  writeFileSync(file, JSON.stringify(DEMO_MERCHANTS.map(change)));
  return file;
}

/** For commands on an existing ledger, without a gateway. */
export const withoutGateway = (url: string, folder: string): Env => ({
  ...FAST,
  DATABASE_URL: url,
  PAYRUN_DATA: folder,
  GATEWAY_URL: "http://127.0.0.1:9",
  MERCHANTS_FILE: merchantsFile(folder),
});

let fileNumber = 0;

/** A row of a test file. Omitted fields get values that pass every rule. */
export interface TestRow {
  readonly code?: string;
  readonly amount?: string;
  readonly currency?: "INR" | "THB" | "PHP" | "MYR" | "TRY" | "CNY" | "KRW" | "IDR";
  readonly name?: string;
  readonly account?: string;
  readonly ifsc?: string;
  readonly reference?: string;
}

const HEADER =
  "user_id,currency_code,transaction_amount,account_name,bank_account_number,ifsc_code,bank_code,bank_name,transaction_code,reference";
/** Listed bank codes, so that no warning clutters the output. */
const BANKS: Readonly<Record<string, string>> = {
  INR: "HDFC,HDFC Bank",
  THB: "6,KTB Net Bank",
  PHP: "bpi,BPI Bank",
  IDR: "BNI,Bank Negara Indonesia",
};

const ROWS_MAX = 100_000;

/**
 * Text of a file. Every file is a new batch: its rows have a number that no other file has, and pay
 * different people.
 */
export function fileText(rows: readonly TestRow[]): string {
  const file = fileNumber++;
  const mark = `${process.pid}-${file}-${performance.now()}`;
  const lines = rows.map((row, index) => {
    const {
      currency = "INR",
      amount = "100.00",
      name = "Asha Rao",
      code = "",
      ifsc,
      reference = "",
    } = row;
    const account = row.account ?? String(50_100_000_000_000 + file * ROWS_MAX + index);
    const bank = BANKS[currency] ?? "BANK,Some Bank";
    const branch = currency === "INR" ? (ifsc ?? "HDFC0000001") : "";
    return `U-${index},${currency},${amount},${name},${account},${branch},${bank},${code},${reference} ${mark}`;
  });
  return `${[HEADER, ...lines].join("\n")}\n`;
}

/** The file with these rows, and the totals that approve it. */
export function makeFile(
  folder: string,
  rows: readonly TestRow[],
): { readonly path: string; readonly totals: readonly string[] } {
  const path = join(folder, `file-${fileNumber++}.csv`);
  writeFileSync(path, fileText(rows));
  return { path, totals: totalsOf(rows) };
}

/** `--total CUR=AMOUNT` for each currency; hundredths, exactly. */
function totalsOf(rows: readonly TestRow[]): string[] {
  const sums = new Map<string, bigint>();
  for (const { currency = "INR", amount = "100.00" } of rows) {
    const [whole = "0", fraction = ""] = amount.split(".");
    const hundredths = BigInt(whole + fraction.padEnd(2, "0"));
    sums.set(currency, (sums.get(currency) ?? 0n) + hundredths);
  }
  return [...sums].flatMap(([currency, sum]) => {
    const text = sum.toString().padStart(3, "0");
    const amount =
      currency === "KRW" ? text.slice(0, -2) : `${text.slice(0, -2)}.${text.slice(-2)}`;
    return ["--total", `${currency}=${amount}`];
  });
}

export const rowsOf = (count: number, make: (index: number) => TestRow = () => ({})): TestRow[] =>
  Array.from({ length: count }, (_, index) => make(index));
