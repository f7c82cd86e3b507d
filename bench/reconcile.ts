/**
 * Time and memory of `payrun reconcile` for a statement with as many lines as the ledger has
 * payouts on its day: the file is read, stored, sorted and compared, also with the statement of the
 * day before. Then of `payrun close day`, which adds up the payouts of the day.
 */
import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { finished } from "node:stream/promises";
import { once } from "node:events";
import { Client } from "pg";
import { readConfig } from "#app/config.ts";
import { openPayrun } from "#app/wiring.ts";
import { laneOf } from "#payout/payout.ts";
import { fillSettledDay, type SettledDay, statementRow } from "./settled-day.ts";
import { scratch, settingsIn, start, usedBy } from "./support.ts";

interface CommandFigures {
  readonly seconds: number;
  readonly peakMegabytes: number;
}

export interface ReconcileFigures {
  readonly reconcile: CommandFigures;
  readonly close: CommandFigures;
}

/** Payouts of the day before. The lines are also searched on its statement. */
const DAY_BEFORE = { day: "2026-11-25", payouts: 10_000 };

/** Rows that are left out, and must be found. */
const MISSING_EVERY = 100_000;
const MISSING_AT = 7;

/** Measures each command in a process of its own. */
export async function measureReconcile(rows: number): Promise<ReconcileFigures> {
  const folder = scratch();
  const env = await settingsIn(folder);
  const payrun = await openPayrun(readConfig(env));
  try {
    const lane = laneOf("BENCH", "INR");
    const day: SettledDay = { lane, currency: "INR", day: "2026-11-26", payouts: rows };
    const before: SettledDay = { ...day, ...DAY_BEFORE };
    await fillSettledDay(env.DATABASE_OWNER_URL, before);
    await fillSettledDay(env.DATABASE_OWNER_URL, day);
    const owner = new Client({ connectionString: env.DATABASE_OWNER_URL });
    await owner.connect();
    await owner.query("analyze payrun.payouts, payrun.payout_details, payrun.transitions");
    await owner.end();
    const files = { before: join(folder, "before.csv"), day: join(folder, "day.csv") };
    await writeStatement(files.before, before);
    await writeStatement(files.day, day);
    process.stderr.write(`${rows} payouts and lines written\n`);
    await reconcile(files.before, before, env);
    const reconciled = await reconcile(files.day, day, env);
    return { reconcile: reconciled, close: await closeDay(day, env) };
  } finally {
    await payrun.close();
  }
}

/** Writes the statement of a day, in which some payouts are missing. */
export async function writeStatement(file: string, day: SettledDay): Promise<void> {
  const stream = createWriteStream(file);
  stream.write("Transaction No,Transaction Code,Currency,Amount,Fee,Status,Completed At\n");
  for (let place = 0; place < day.payouts; place += 1) {
    if (place % MISSING_EVERY === MISSING_AT) continue;
    const { number, code, currency, amount, fee, status, at } = statementRow(day, place);
    const cells = [number, code, currency, amount, fee, status, new Date(at).toISOString()];
    if (!stream.write(`${cells.join(",")}\n`)) await once(stream, "drain");
  }
  stream.end();
  await finished(stream);
}

/** Reconciles the statement of a day with the command line. */
export async function reconcile(
  file: string,
  { lane, day, payouts }: SettledDay,
  env: Readonly<Record<string, string>>,
): Promise<CommandFigures> {
  const startedMs = performance.now();
  const command = [
    "reconcile",
    file,
    "--lane",
    lane,
    "--day",
    day,
    "--confirm-mapping",
    "--zone",
    "UTC",
  ];
  const running = await start(
    process.execPath,
    ["src/cli/app/main.ts", ...command],
    env,
    /(\d+) +missing_at_gateway/,
  );
  // The kernel keeps the peak, and the result is printed at the end.
  const peakMegabytes = usedBy(running.child.pid)?.peakMegabytes ?? Number.NaN;
  const found = Number(running.match[1]);
  const expected = Math.ceil((payouts - MISSING_AT) / MISSING_EVERY);
  if (found !== expected) throw new Error(`${found} breaks instead of ${expected}`);
  if (running.child.exitCode === null) await once(running.child, "exit");
  return { seconds: (performance.now() - startedMs) / 1_000, peakMegabytes };
}

async function closeDay(
  { lane, day }: SettledDay,
  env: Readonly<Record<string, string>>,
): Promise<CommandFigures> {
  const close = (...args: string[]) => ["src/cli/app/main.ts", "close", ...args, "--lane", lane];
  const opening = close("open", day, "--balance", "0", "--reason", "bench", "--zone", "UTC");
  const opened = await start(process.execPath, opening, env, /\d/);
  if (opened.child.exitCode === null) await once(opened.child, "exit");
  const startedMs = performance.now();
  const running = await start(process.execPath, close("day", day, "--json"), env, /"digest"/);
  const peakMegabytes = usedBy(running.child.pid)?.peakMegabytes ?? Number.NaN;
  if (running.child.exitCode === null) await once(running.child, "exit");
  return { seconds: (performance.now() - startedMs) / 1_000, peakMegabytes };
}
