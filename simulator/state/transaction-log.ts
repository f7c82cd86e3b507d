import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  mkdirSync,
  fchmodSync,
  openSync,
  readFileSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { parseJson } from "#simulator/wire/json.ts";
import type { Method } from "./methods.ts";
import { BadOptions } from "./options.ts";
import type { Load } from "./traffic.ts";

/**
 * One line of the transaction log. A payout request produces exactly one of `accepted`, `refused`,
 * `request`.
 */
export interface LogLine extends Load {
  readonly seq: number;
  /** Epoch milliseconds. */
  readonly at: number;
  /**
   * `accepted`: will be paid. `refused`: answered with an error code. `request`: neither, because a
   * fault struck. `foreign`: a code that a fault gave to another client. `settled`, `failed`: final
   * state of an accepted payout. `returned`: settled, then the money came back. Deposits have their
   * own events.
   */
  readonly event:
    | "accepted"
    | "refused"
    | "request"
    | "foreign"
    | "settled"
    | "failed"
    | "returned"
    | "deposit_accepted"
    | "deposit_refused"
    | "deposit_request"
    | "deposit_account"
    | "deposit_paid"
    | "deposit_failed"
    | "deposit_manual";
  readonly merchant: string;
  readonly transaction_code: string;
  readonly transaction_no?: string;
  /** As written in the request. */
  readonly amount?: string;
  readonly currency?: string;
  /**
   * Truncated SHA-256 of account and bank, and the account's last digits. The log contains no full
   * account number.
   */
  readonly payee?: string;
  readonly payee_masked?: string;
  /**
   * Final state of an accepted payout. It is decided on acceptance, so a restart cannot change it.
   */
  readonly fate?: FinalState;
  readonly callback_url?: string;
  /** Deposits only: how the payer pays, and the deadline (epoch milliseconds). */
  readonly variant?: Method["variant"];
  readonly expires_at?: number;
  /** Error code of a refusal. */
  readonly code?: string;
  readonly fault?: string;
}

export type FinalState = "settled" | "failed";

export interface TransactionLog {
  /** Queues a line. `whenWritten` runs once it is in the file (write(2) has returned). */
  append(
    line: Omit<LogLine, "seq" | "at" | keyof Load>,
    whenWritten?: (line: LogLine) => void,
  ): LogLine;
  /** Every line in the file. An incomplete last line was never answered and is left out. */
  lines(): LogLine[];
  close(): void;
}

/** Node's own recursive mkdir retries forever where a folder takes no new entries (/proc). */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process created it first.
    if (!existsSync(path)) throw error;
  }
}

const { O_RDWR, O_APPEND, O_CREAT, O_NONBLOCK } = constants;

/** The transaction log and its contents. */
function opened(path: string): { readonly file: number; readonly earlier: string } {
  const expected = `--transaction-log ${path}: cannot be written`;
  try {
    makeFolder(dirname(path));
    const file = openSync(path, O_RDWR | O_APPEND | O_CREAT | O_NONBLOCK, 0o600);
    // An earlier version created the file readable by others.
    if (fstatSync(file).isFile()) fchmodSync(file, 0o600);
    // A pipe or a device has no end, so reading it would never finish.
    if (!fstatSync(file).isFile()) throw new BadOptions(`${expected}: it is a pipe or a device`);
    const earlier = readFileSync(path, "utf8");
    // A process killed during a write leaves an incomplete line. The next line must not continue
    // it.
    if (earlier !== "" && !earlier.endsWith("\n")) writeSync(file, "\n");
    return { file, earlier };
  } catch (error) {
    if (error instanceof BadOptions) throw error;
    const { code = "unknown cause" } = error as NodeJS.ErrnoException;
    throw new BadOptions(`${expected} (${code})`);
  }
}

/**
 * Append-only file of JSON lines. Lines of one turn of the event loop share one write. Each line is
 * in the file before its request is answered, so the log contains every payout that a client has
 * seen accepted.
 */
export function openTransactionLog(
  path: string,
  nowMs: () => number,
  traffic: () => Load,
): TransactionLog {
  const { file, earlier } = opened(path);
  let seq = parseLines(earlier).at(-1)?.seq ?? 0;
  let pending = "";
  let waiting: (() => void)[] = [];
  let isScheduled = false;
  let isClosed = false;

  function flush(): void {
    isScheduled = false;
    // A request that a fault delays may outlive the log. It was never answered and is not recorded.
    if (isClosed) return;
    const woken = waiting;
    const bytes = Buffer.from(pending);
    pending = "";
    waiting = [];
    for (let offset = 0; offset < bytes.length; ) offset += writeSync(file, bytes, offset);
    for (const wake of woken) wake();
  }

  return {
    append(entry, whenWritten) {
      seq += 1;
      const line: LogLine = { seq, at: nowMs(), ...traffic(), ...entry };
      pending += `${JSON.stringify(line)}\n`;
      if (whenWritten) waiting.push(() => whenWritten(line));
      if (!isScheduled) {
        isScheduled = true;
        setImmediate(flush);
      }
      return line;
    },
    lines() {
      flush();
      return parseLines(readFileSync(path, "utf8"));
    },
    close() {
      flush();
      isClosed = true;
      closeSync(file);
    },
  };
}

function parseLines(content: string): LogLine[] {
  return content.split("\n").flatMap((text) => {
    const line = parseJson(text) as LogLine | undefined;
    return line === undefined ? [] : [line];
  });
}

export interface LogSummary {
  readonly requests: number;
  readonly accepted: number;
  readonly settled: number;
  readonly failed: number;
  readonly refused: Readonly<Record<string, number>>;
  /** Number of requests that were answered with 111. */
  readonly duplicates: number;
  /** Codes accepted more than once: double payments. Must be empty unless a fault forces them. */
  readonly paid_twice: readonly string[];
  readonly sums: Readonly<Record<string, { accepted: string; settled: string; failed: string }>>;
  readonly deposits: DepositSummary;
}

interface DepositSummary {
  readonly accepted: number;
  readonly paid: number;
  readonly failed: number;
  /** Amounts actually paid, by currency. */
  readonly sums: Readonly<Record<string, string>>;
}

const SCALE_DIGITS = 8;

/** Counts from the lines of the file alone. */
export function summaryOf(lines: readonly LogLine[]): LogSummary {
  const counts = { requests: 0, accepted: 0, settled: 0, failed: 0 };
  const refused: Record<string, number> = {};
  const times = new Map<string, number>();
  const sums: Record<string, { accepted: bigint; settled: bigint; failed: bigint }> = {};

  for (const { event, merchant, transaction_code, code, currency, amount } of lines) {
    if (event === "accepted" || event === "refused" || event === "request") counts.requests += 1;
    if (event === "refused" && code) refused[code] = (refused[code] ?? 0) + 1;
    if (event !== "accepted" && event !== "settled" && event !== "failed") continue;
    counts[event] += 1;
    const sum = (sums[currency ?? ""] ??= { accepted: 0n, settled: 0n, failed: 0n });
    sum[event] += scaled(amount ?? "0");
    if (event === "accepted") {
      const key = `${merchant} ${transaction_code}`;
      times.set(key, (times.get(key) ?? 0) + 1);
    }
  }
  return {
    ...counts,
    refused,
    duplicates: refused["111"] ?? 0,
    paid_twice: [...times].filter(([, count]) => count > 1).map(([key]) => key.split(" ")[1] ?? ""),
    deposits: depositsOf(lines),
    sums: Object.fromEntries(
      Object.entries(sums).map(([currency, { accepted, settled, failed }]) => [
        currency,
        { accepted: unscaled(accepted), settled: unscaled(settled), failed: unscaled(failed) },
      ]),
    ),
  };
}

function depositsOf(lines: readonly LogLine[]): DepositSummary {
  const count = (name: LogLine["event"]) => lines.filter(({ event }) => event === name).length;
  const sums: Record<string, bigint> = {};
  for (const { event, currency = "", amount = "0" } of lines) {
    if (event === "deposit_paid") sums[currency] = (sums[currency] ?? 0n) + scaled(amount);
  }
  return {
    accepted: count("deposit_accepted"),
    paid: count("deposit_paid"),
    failed: count("deposit_failed"),
    sums: Object.fromEntries(Object.entries(sums).map(([code, sum]) => [code, unscaled(sum)])),
  };
}

/** Converts a decimal amount into an integer, for exact sums. */
export function scaled(amount: string): bigint {
  const [whole = "0", fraction = ""] = amount.split(".");
  return BigInt(whole + fraction.slice(0, SCALE_DIGITS).padEnd(SCALE_DIGITS, "0"));
}

/** Without trailing zeros of the fraction: "150.5", "7". */
export function unscaled(value: bigint): string {
  const text = value.toString().padStart(SCALE_DIGITS + 1, "0");
  const fraction = text.slice(-SCALE_DIGITS).replace(/0+$/, "");
  return text.slice(0, -SCALE_DIGITS) + (fraction === "" ? "" : `.${fraction}`);
}
