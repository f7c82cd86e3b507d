import { copyFileSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { runPayrun } from "../../test/support/servers/payrun.ts";
import { query } from "../../test/support/servers/postgres.ts";
import { nullIfUnavailable } from "./observer-queries.ts";
import type { PayFile } from "./files.ts";
import type { Setup } from "./setup.ts";

/**
 * A list that a schedule pays every day. Its batches of the next days are created immediately,
 * during the strikes.
 */
export interface Payroll {
  readonly list: PayFile;
  /** The file name of each batch, and whether it is released before its day. */
  readonly occurrences: readonly { readonly file: string; readonly sent: boolean }[];
  /** As given to payrun. */
  readonly rule: readonly string[];
}

const NAME = "payroll";
const DAYS = 6;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Writes the expected batches of the list next to it, as rows for the checker. */
export function planPayroll(folder: string, list: PayFile, nowMs: number): Payroll {
  // An hour ago, so that the campaign's clocks stay far from the time at which another day would be
  // due.
  const firstMs = nowMs - HOUR_MS + DAY_MS;
  const dayOf = (at: number) => new Date(firstMs + at * DAY_MS).toISOString();
  const occurrences = Array.from({ length: DAYS }, (_, at) => ({
    file: `${NAME} ${dayOf(at).slice(0, 10)}.csv`,
    sent: at % 2 === 0,
  }));
  for (const { file } of occurrences) copyFileSync(list.path, join(folder, file));
  const time = dayOf(0).slice(11, 16);
  const lead = String((DAYS * DAY_MS) / HOUR_MS);
  const rule = ["--every", "day", "--time", time, "--zone", "UTC", "--lead", lead];
  return { list, occurrences, rule };
}

/**
 * Creates the schedule, approves each of its batches as it appears, and releases some before their
 * day, until all is done. A command may have succeeded although it reported a failure, so each one
 * first checks the current state. Ends early when `over` is aborted.
 */
export async function runPayroll(
  { list, occurrences, rule }: Payroll,
  { env, databaseUrl }: Setup,
  over: AbortSignal,
): Promise<void> {
  const look = <Found extends Record<string, unknown>>(sql: string) =>
    nullIfUnavailable(query<Found>(databaseUrl, sql));
  const run = (...args: readonly string[]) => runPayrun(args, env);
  const toSend = new Set(occurrences.filter(({ sent }) => sent).map(({ file }) => file));
  /** The options of each batch, by finding. */
  const acknowledgements = new Map<string, Map<string, string>>();
  /** Each batch pays the same people as another one, so payrun asks to acknowledge that. */
  const approve = async (id: string) => {
    const known = acknowledgements.get(id) ?? new Map<string, string>();
    acknowledgements.set(id, known);
    const options = [...known].flatMap(([finding, rows]) => [
      "--acknowledge",
      `${finding}=${rows}`,
    ]);
    const { stderr } = await run("batch", "approve", id, ...list.totals, ...options);
    for (const [, finding = "", rows = ""] of stderr.matchAll(/--acknowledge (\S+)=(\d+)/g)) {
      known.set(finding, rows);
    }
  };
  while (!over.aborted) {
    const made = (await look<Row>(BATCHES)) ?? [];
    const waiting = made.filter(({ released }) => !released);
    await Promise.all(
      waiting.map(async ({ id, file, state }) => {
        if (state === "awaiting_approval") await approve(id);
        else if (toSend.has(file)) await run("batch", "send-now", id, "--reason", "needed today");
      }),
    );
    const isDone = waiting.every(
      ({ file, state }) => state !== "awaiting_approval" && !toSend.has(file),
    );
    if (made.length >= occurrences.length && isDone) return;
    const known = await look(`select from schedules where name = '${NAME}'`);
    const [source] = (known?.length === 0 && (await look<Row>(sourceOf(list)))) || [];
    if (source) await run("schedule", "create", "--name", NAME, "--list", source.id, ...rule);
    await sleep(500);
  }
}

interface Row extends Record<string, unknown> {
  id: string;
  file: string;
  state: string;
  released: boolean;
}

const sourceOf = ({ path }: PayFile) =>
  `select id from batches where file_name = '${basename(path)}'`;
const BATCHES = `select b.id, b.file_name as file, b.state, s.released_at is not null as released
  from batches b join send_times s on s.batch_id = b.id order by b.file_name`;
