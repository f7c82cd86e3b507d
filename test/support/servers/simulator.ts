import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LogLine, LogSummary } from "#simulator/state/transaction-log.ts";
import type { FaultRule } from "#simulator/faults/fault-rules.ts";

export interface SimulatorSettings {
  readonly faults?: readonly Readonly<Record<string, unknown>>[];
  readonly seed?: number;
  readonly settleMs?: number;
  readonly declines?: number;
  /** In percent. */
  readonly fee?: string;
  /** As INR=1000,THB=50. */
  readonly balance?: string;
  readonly refusals?: "200" | "400";
  readonly unknown?: "success_false" | "empty_array" | "no_data";
  readonly dialect?: "specification" | "clients";
  readonly escaping?: "none" | "percent";
  readonly expireMs?: number;
  readonly zone?: string;
  /** The callback URL of the back office. */
  readonly callbackUrl?: string;
  /** A merchants file; by default the demo merchants. */
  readonly merchants?: string;
  /** Continues this transaction log (after `kill`); by default a new one in a temporary folder. */
  readonly logPath?: string;
  /** Takes this port again; by default a free one. */
  readonly port?: number;
}

export interface SimulatorProcess {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  readonly logPath: string;
  log(): Promise<LogLine[]>;
  summary(): Promise<LogSummary>;
  /** Replaces the fault rules while it runs. */
  setFaults(rules: readonly Readonly<Partial<FaultRule>>[]): Promise<void>;
  /** Sets the balance left for payouts, by currency. */
  setBalance(amounts: Readonly<Record<string, string>>): Promise<void>;
  /** SIGTERM, then waits for the exit; returns the exit code. */
  stop(): Promise<number | null>;
  /** SIGKILL, then waits for the exit. The transaction log stays if its path was given. */
  kill(): Promise<void>;
}

const READY = /simulated gateway at (http:\S+),/;

/** Starts the real simulator process on a loopback port. */
export async function startSimulator(settings: SimulatorSettings = {}): Promise<SimulatorProcess> {
  const folder = mkdtempSync(join(tmpdir(), "payrun-simulator-"));
  const logPath = settings.logPath ?? join(folder, "book.jsonl");
  const child = spawn(
    process.execPath,
    ["simulator/main.ts", ...argumentsOf(settings, folder, logPath)],
    {
      stdio: ["ignore", "ignore", "pipe"],
    },
  );
  // A test that fails before its `stop` must not leave a server behind.
  const orphan = () => child.kill("SIGKILL");
  process.once("exit", orphan);
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const url = await ready(child, ended);

  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    const code = await ended;
    process.off("exit", orphan);
    rmSync(folder, { recursive: true, force: true });
    return code;
  };
  const put = async (path: string, content: unknown) => {
    const response = await fetch(`${url}${path}`, { method: "PUT", body: JSON.stringify(content) });
    if (!response.ok) throw new Error(await response.text());
  };
  return {
    url,
    port: Number(new URL(url).port),
    pid: child.pid ?? 0,
    logPath,
    async log() {
      const text = await (await fetch(`${url}/transaction-log`)).text();
      return text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
    },
    summary: async () =>
      (await fetch(`${url}/transaction-log?summary`)).json() as Promise<LogSummary>,
    setFaults: (rules) => put("/faults", rules),
    setBalance: (amounts) => put("/balance", amounts),
    stop: () => end("SIGTERM"),
    kill: async () => {
      await end("SIGKILL");
    },
  };
}

function argumentsOf(settings: SimulatorSettings, folder: string, bookPath: string): string[] {
  const {
    seed,
    settleMs,
    declines,
    fee,
    balance,
    refusals,
    unknown,
    dialect,
    escaping,
    merchants,
    port,
  } = settings;
  const { expireMs, zone, callbackUrl } = settings;
  const texts: Readonly<Record<string, string | number | undefined>> = {
    port: port ?? 0,
    "transaction-log": bookPath,
    "settle-ms": settleMs ?? 50,
    seed,
    declines,
    fee,
    balance,
    refusals,
    unknown,
    dialect,
    escaping,
    merchants,
    "expire-ms": expireMs,
    zone,
    "callback-url": callbackUrl,
  };
  const given = Object.entries(texts).filter(([, value]) => value !== undefined);
  const list = given.map(([flag, value]) => `--${flag}=${value}`);
  if (!settings.faults) return list;
  const path = join(folder, "faults.json");
  writeFileSync(path, JSON.stringify(settings.faults));
  return [...list, `--faults=${path}`];
}

function ready(child: ChildProcess, ended: Promise<number | null>): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = "";
    child.stderr?.on("data", (piece: Buffer) => {
      said += piece.toString();
      const url = READY.exec(said)?.[1];
      if (url) resolve(url);
    });
    void ended.then((code) => reject(new Error(`the simulator ended with ${code}: ${said}`)));
  });
}
