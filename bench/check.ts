/**
 * `./payrun check` over a million INR rows: rows per second and peak memory of the real command,
 * process start included. csv-parse alone reads the same file in its own process, alternating with
 * the command.
 *
 * Run as: node bench/check.ts [--rows N] [--runs N]
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createReadStream, createWriteStream } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { parse } from "csv-parse";
import { median, ROOT, scratch, type Used, usedBy } from "./support.ts";

export interface CheckFigures {
  readonly rows: number;
  /** Medians of the runs. */
  readonly rowsPerSecond: number;
  /** Rows per second of processor time: the speed on a dedicated core. */
  readonly rowsPerCpuSecond: number;
  readonly peakMegabytes: number;
  readonly csvParseRowsPerSecond: number;
  /** Speed with every rule checked, as a share of csv-parse's speed. */
  readonly ratio: number;
}

/** Measures both in alternation, so a change of the machine's speed affects both. */
export async function measureCheck(rows: number, runs: number): Promise<CheckFigures> {
  const file = join(scratch(), "inr.csv");
  await writeRows(file, rows);
  const checks: Run[] = [];
  const bare: Run[] = [];
  for (let run = 0; run < runs; run++) {
    checks.push(await timed(join(ROOT, "payrun"), ["check", file, "--json"]));
    bare.push(await timed(process.execPath, [import.meta.filename, "--bare", file]));
  }
  const seconds = median(checks.map((run) => run.seconds));
  const bareSeconds = median(bare.map((run) => run.seconds));
  return {
    rows,
    rowsPerSecond: rows / seconds,
    rowsPerCpuSecond: rows / median(checks.map((run) => run.cpuSeconds)),
    peakMegabytes: median(checks.map((run) => run.peakMegabytes)),
    csvParseRowsPerSecond: rows / bareSeconds,
    ratio: bareSeconds / seconds,
  };
}

interface Run extends Used {
  readonly seconds: number;
}

const SAMPLE_MS = 20;

/**
 * Runs a process until it exits. Peak memory (VmHWM) and processor time are the kernel's figures,
 * read while it runs. NaN without /proc.
 */
async function timed(command: string, args: readonly string[]): Promise<Run> {
  const started = performance.now();
  const child = spawn(command, args, { cwd: ROOT, stdio: ["ignore", "ignore", "inherit"] });
  let used = { cpuSeconds: Number.NaN, megabytes: Number.NaN, peakMegabytes: Number.NaN };
  const sampling = setInterval(() => {
    used = usedBy(child.pid) ?? used;
  }, SAMPLE_MS);
  const [code] = (await once(child, "exit")) as [number];
  clearInterval(sampling);
  if (code !== 0) throw new Error(`${command} ${args.join(" ")} exited with ${code}`);
  return { seconds: (performance.now() - started) / 1_000, ...used };
}

/** Every row has a different beneficiary, so the duplicate search does its full work. */
async function writeRows(file: string, rows: number): Promise<void> {
  const out = createWriteStream(file);
  out.write(
    "user_id,currency_code,transaction_amount,account_name,bank_account_number,ifsc_code,bank_code,bank_name,reference\n",
  );
  let text = "";
  for (let row = 0; row < rows; row++) {
    const paise = String(row % 100).padStart(2, "0");
    const branch = String(row % 1_000_000).padStart(6, "0");
    text += `U${1_000_000 + row},INR,${1_000 + (row % 90_000)}.${paise},Asha ${row % 2 ? "Verma" : "Rao"},${50_100_000_000_000 + row * 7},HDFC0${branch},HDFC,HDFC Bank,payroll row ${row}\n`;
    if (text.length < 1 << 20 && row < rows - 1) continue;
    if (!out.write(text)) await once(out, "drain");
    text = "";
  }
  out.end();
  await once(out, "close");
}

/** csv-parse as its manual shows it: a stream of arrays. */
async function parseBare(file: string): Promise<void> {
  let rows = 0;
  for await (const record of createReadStream(file).pipe(parse())) rows += record ? 1 : 0;
  process.stdout.write(`${rows}\n`);
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      rows: { type: "string", default: "1000000" },
      runs: { type: "string", default: "3" },
      bare: { type: "string" },
    },
  });
  if (values.bare === undefined) {
    const figures = await measureCheck(Number(values.rows), Number(values.runs));
    const whole = (value: number) => Math.round(value).toLocaleString("en");
    process.stdout.write(
      [
        `check of ${whole(figures.rows)} INR rows, medians of ${values.runs} runs, ${availableParallelism()} cores`,
        `  ./payrun check    ${whole(figures.rowsPerSecond)} rows/s   target 60,000`,
        `  per CPU second    ${whole(figures.rowsPerCpuSecond)} rows`,
        `  peak memory       ${whole(figures.peakMegabytes)} MB   target at most 300`,
        `  csv-parse alone   ${whole(figures.csvParseRowsPerSecond)} rows/s   ratio ${figures.ratio.toFixed(2)}`,
        "",
      ].join("\n"),
    );
  } else await parseBare(values.bare);
}
