import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, cpSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { findRedisServer } from "../../scripts/prepare-tests.ts";
import { FAST, ROOT, runPayrun } from "../../test/support/servers/payrun.ts";
import { query } from "../../test/support/servers/postgres.ts";
import { nullIfUnavailable, WRONG_COUNTS } from "./observer-queries.ts";
import type { Bounds } from "./checker/campaign.ts";
import type { Verdict } from "./checker/check.ts";
import { CURRENCIES, LIST_ROWS, makeFiles, makeList, type PayFile, SECRETS } from "./files.ts";
import { inDoubtLimitFor } from "./gateway-faults.ts";
import { previousRelease } from "./previous.ts";
import { upgrade } from "./upgrade.ts";
import { runPayroll, type Payroll, planPayroll } from "./payroll.ts";
import { resumeStopped, startOperators } from "./operators.ts";
import { type Engine, filesBy, planOf } from "./plan.ts";
import { dumpTexts } from "./redis-files.ts";
import { LEASE_MS, type Setup, startSetup, applyStrike } from "./setup.ts";
import { countedByName, nameOf } from "./strike-names.ts";

export interface CampaignOptions {
  readonly engine: Engine;
  readonly seed: number;
  readonly payouts: number;
  readonly files: number;
  readonly kills: number;
  readonly servers: number;
  readonly workers: number;
  readonly atOnce: number;
  readonly stepMs: number;
  /** True: PostgreSQL has a synchronous standby, which is promoted at times. */
  readonly standby?: boolean;
  /** The previous release, which runs until the middle of the campaign: see previousRelease. */
  readonly previous?: string | null;
  /** An empty folder for everything that the campaign leaves behind. */
  readonly folder: string;
  readonly say: (text: string) => void;
  /** Aborts the campaign: everything it started is stopped, and it fails. */
  readonly signal?: AbortSignal;
}

export interface CampaignResult {
  readonly strikes: Readonly<Record<string, number>>;
  readonly kills: number;
  /** Until the end of the last strike. */
  readonly destructionSeconds: number;
  /** From there, or the last approval if later, until all were final or on hold. Null: never. */
  readonly restSeconds: number | null;
  readonly versions: Readonly<Record<"node" | "postgres" | "redis", string>>;
  /** Processes that exited unexpectedly. */
  readonly collapses: readonly string[];
  readonly verdict: Verdict;
}

/** Time in milliseconds after the last fault within which everything must come to rest. */
export const REST_MS = 120_000;
/** Time in milliseconds for files not yet uploaded when the last fault has ended. */
const PAY_FILES_MS = 480_000;
const NOT_UPLOADED = `payrun did not take and approve all files within ${PAY_FILES_MS / 1_000} s of the last fault: it hangs, or the machine is too slow`;
/** Number of strikes after which the queue is inspected and Redis is copied. */
const INSPECT_EVERY = 5;

/** Pays files while the plan injects faults, waits until all are at rest, and runs the checker. */
export async function runCampaign(options: CampaignOptions): Promise<CampaignResult> {
  const { folder, say } = options;
  const plan = planOf({ ...options, leaseMs: LEASE_MS });
  const lanePerSecond = lanePerSecondOf(options, plan.length);
  const inDoubtLimit = inDoubtLimitFor(lanePerSecond);
  const releases = options.previous ? previousRelease(options.previous, folder) : null;
  const setup = await startSetup({ ...options, inDoubtLimit, releases });
  const rested = new AbortController();
  try {
    const files = makeFiles(join(folder, "files"), options);
    const list = makeList(join(folder, "files"), options);
    const payroll = planPayroll(join(folder, "files"), list, Date.now());
    await setup.fleet.works();
    const sinceMs = stopwatch();
    const over = new AbortController();
    let handedIn = payFile(list, setup, over.signal);
    const paidDaily = handedIn.then(() => runPayroll(payroll, setup, over.signal));
    const underWay: Promise<void>[] = [];
    const later = (work: Promise<void>) => underWay.push(work);
    const operators = startOperators(setup, rateFor(lanePerSecond));
    const watch = resumeStopped(setup, rested.signal);
    let handed = 0;
    for (const [at, act] of plan.entries()) {
      options.signal?.throwIfAborted();
      operators.at(at / plan.length);
      // The files are spread over the strikes, so that each strike finds payouts in progress.
      const due = filesBy(at, plan.length, files.length);
      for (const file of files.slice(handed, due)) {
        handedIn = handedIn.then(() => payFile(file, setup, over.signal));
      }
      handed = due;
      if (releases && at === Math.floor(plan.length / 2)) later(upgrade(releases, setup));
      await sleep(act.waitMs);
      if (at % INSPECT_EVERY === 0) await inspectQueue(at, setup);
      await applyStrike(act, setup, later);
      say(`${(sinceMs() / 1000).toFixed(1)} s  ${at + 1}/${plan.length}  ${nameOf(act)}`);
    }
    await Promise.all(underWay);
    const destructionSeconds = sinceMs() / 1000;
    operators.at(1);
    say("the last fault has ended");
    options.signal?.addEventListener("abort", () => over.abort());
    await untilPaid([handedIn, paidDaily], over);
    const lanes = await operators.end();
    const rows = options.payouts + LIST_ROWS * (1 + payroll.occurrences.length);
    const restSeconds = await rest(rows, setup, options.signal);
    say(restSeconds === null ? "no rest" : `at rest after ${restSeconds.toFixed(1)} s`);

    rested.abort();
    await watch;
    await setup.fleet.works();
    await setup.fleet.close();
    await writeResults(options, { ...payroll, lanes, ceilings: [inDoubtLimit], files }, setup);
    return {
      strikes: countedByName(plan),
      kills: plan.filter(({ kind }) => kind === "kill").length,
      destructionSeconds,
      restSeconds,
      versions: await versionsOf(setup),
      collapses: setup.fleet.collapses,
      verdict: await verdictOn(folder),
    };
  } finally {
    rested.abort();
    await setup.stop();
  }
}

/**
 * Waits for the uploads and approvals: a payout approved after the last fault cannot come to rest
 * before its approval.
 *
 * @throws when they take too long.
 */
async function untilPaid(work: readonly Promise<void>[], over: AbortController): Promise<void> {
  const tooLong = setTimeout(() => over.abort(), PAY_FILES_MS);
  await Promise.all(work).finally(() => clearTimeout(tooLong));
  if (over.signal.aborted) throw new Error(NOT_UPLOADED);
}

/** Returns a function that says how many milliseconds have passed since. */
function stopwatch(): () => number {
  const startedMs = performance.now();
  return () => performance.now() - startedMs;
}

/** Average payouts per second of the lane of one currency, if all are sent during the strikes. */
const lanePerSecondOf = ({ payouts, stepMs }: CampaignOptions, strikes: number): number =>
  payouts / CURRENCIES.length / ((strikes * stepMs) / 1_000);

/** Half of the rate that the lane of one currency would have, so that the limit takes effect. */
const rateFor = (lanePerSecond: number): number => Math.ceil(lanePerSecond / 2);

async function versionsOf({
  databaseUrl,
  redis,
  group,
}: Setup): Promise<CampaignResult["versions"]> {
  const [shown] = await query<{ server_version: string }>(databaseUrl, "show server_version");
  const said = spawnSync(findRedisServer() ?? "", ["--version"], { encoding: "utf8" }).stdout;
  return {
    node: process.version,
    postgres: shown?.server_version ?? "",
    redis: (redis ?? group) ? (/v=(\S+)/.exec(said)?.[1] ?? said.trim()) : "none",
  };
}

/** Exit codes of `pay --no-wait` for an approved file; payouts may be declined or on hold. */
const PAID_EXIT_CODES: readonly (number | null)[] = [0, 7, 8];

/** Repeats the command until it succeeds: a server may go away while it runs. */
async function payFile(
  { path, totals, canary }: PayFile,
  { env, texts }: Setup,
  over: AbortSignal,
): Promise<void> {
  const first = canary === 0 ? [] : ["--canary", String(canary)];
  while (!over.aborted) {
    const { code, stdout, stderr } = await runPayrun(
      ["pay", path, "--no-wait", ...first, ...totals],
      env,
    );
    appendFileSync(join(texts, "pay.log"), stdout + stderr);
    if (PAID_EXIT_CODES.includes(code)) return;
    await sleep(300);
  }
}

/** A payout that waits for its day is at rest. */
const OPEN =
  "state not in ('settled', 'declined', 'on_hold', 'cancelled', 'returned') and batch_id not in (select batch_id from send_times where released_at is null)";

async function rest(payouts: number, setup: Setup, signal?: AbortSignal): Promise<number | null> {
  const lastFaultMs = performance.now();
  while (performance.now() - lastFaultMs < REST_MS) {
    signal?.throwIfAborted();
    const counted = await nullIfUnavailable(
      query<{ all: string; open: string; wrong: string }>(
        setup.databaseUrl,
        `select count(*) as all, count(*) filter (where ${OPEN}) as open, (${WRONG_COUNTS}) as wrong from payouts`,
      ),
    );
    const counts = counted?.[0];
    if (Number(counts?.wrong) > 0) throw new Error("stored counts differ from the payouts");
    if (Number(counts?.all) === payouts && Number(counts?.open) === 0) {
      return (performance.now() - lastFaultMs) / 1000;
    }
    await sleep(250);
  }
  return null;
}

/** Content of the queue in mid-run. It is empty at the end. */
async function inspectQueue(at: number, setup: Setup): Promise<void> {
  setup.snapshots?.take();
  const tables = await nullIfUnavailable(tablesOf(setup.databaseUrl, "payrun_queue"));
  if (tables !== null) writeFileSync(join(setup.texts, `queue-${at}.json`), tables);
}

/** Every row of every table of a schema as text. */
async function tablesOf(url: string, schema: string): Promise<string> {
  const names = await query<{ name: string }>(
    url,
    "select quote_ident(table_schema) || '.' || quote_ident(table_name) as name from information_schema.tables where table_schema = $1 and table_type = 'BASE TABLE'",
    [schema],
  );
  const texts: string[] = [];
  for (const { name } of names) {
    const rows = await query<{ row: string }>(url, `select t::text as row from ${name} t`);
    texts.push(name, ...rows.map(({ row }) => row));
  }
  return texts.join("\n");
}

/** Writes the files that the checker reads: see checker/campaign.ts. */
async function writeResults(
  { folder, servers, workers, atOnce }: CampaignOptions,
  {
    occurrences,
    lanes,
    ceilings,
    files,
  }: Pick<Payroll, "occurrences"> &
    Pick<Bounds, "lanes" | "ceilings"> & { readonly files: readonly PayFile[] },
  setup: Setup,
): Promise<void> {
  const { texts, redis, group, postgres, databaseUrl } = setup;
  for (const node of [redis, ...(group?.nodes ?? [])]) if (node) dumpTexts(node.folder, texts);
  for (const schema of ["payrun", "payrun_queue"]) {
    writeFileSync(join(texts, `${schema}.txt`), await tablesOf(databaseUrl, schema));
  }
  cpSync(postgres.logs, join(texts, "postgres"), { recursive: true });
  // Each server and worker may have this many requests in flight.
  const bounds: Bounds = {
    at_once_max: (servers + workers) * atOnce,
    secrets: SECRETS,
    payrun_key: FAST["PAYRUN_KEY"] ?? "",
    occurrences,
    lanes,
    canaries: files
      .filter(({ canary }) => canary > 0)
      .map(({ path, canary }) => ({ file: basename(path), payouts: canary })),
    ceilings,
  };
  writeFileSync(join(folder, "bounds.json"), JSON.stringify(bounds));
  const env = { ...process.env, ...setup.env, DATABASE_URL: databaseUrl };
  await toFile(join(ROOT, "payrun"), ["export"], join(folder, "export.jsonl"), env);
}

async function toFile(
  command: string,
  args: readonly string[],
  path: string,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const child = spawn(command, args, { env, stdio: ["ignore", openSync(path, "w"), "inherit"] });
  const [code] = (await once(child, "exit")) as [number];
  return code;
}

/** The checker is a separate process and does not know this one. */
async function verdictOn(folder: string): Promise<Verdict> {
  const path = join(folder, "verdict.json");
  await toFile(
    process.execPath,
    [join(import.meta.dirname, "checker/check.ts"), folder],
    path,
    process.env,
  );
  return JSON.parse(readFileSync(path, "utf8")) as Verdict;
}
