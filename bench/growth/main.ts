/**
 * `node bench/growth/main.ts --payouts 1000000`: rates of creating and detaching archives, size of
 * a payout in the archive and in the database before and after, and the time of a page meanwhile.
 */
import { mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { sql } from "kysely";
import { Client } from "pg";
import { readConfig } from "#app/config.ts";
import { openPayrun } from "#app/wiring.ts";
import { systemClock } from "#base/clock.ts";
import { openArchive } from "#integrity/archive/read.ts";
import { createArchives } from "#ledger/integrity/archive/create-archive.ts";
import { detachArchive } from "#ledger/integrity/archive/work-archive.ts";
import { median, scratch, settingsIn } from "../support.ts";
import { BATCH_ROWS, FILL_BATCH } from "./filled-batch.ts";

const { values } = parseArgs({ options: { payouts: { type: "string", default: "100000" } } });
const batches = Math.max(1, Math.round(Number(values.payouts) / BATCH_ROWS));
const payouts = batches * BATCH_ROWS;
const TABLES = ["payouts", "payout_details", "attempts", "evidence", "transitions"];

const folder = scratch();
const env = await settingsIn(folder);
const payrun = await openPayrun(readConfig(env));
const owner = new Client({ connectionString: env.DATABASE_OWNER_URL });
await owner.connect();
await owner.query("set search_path to payrun; set session_replication_role = replica");

/** Bytes of a payout in each table, with its indexes. */
async function bytesByTable(): Promise<readonly number[]> {
  const { rows } = await owner.query<{ size: string }>(
    "select pg_total_relation_size(name::regclass) as size from unnest($1::text[]) with ordinality t (name, place) order by place",
    [TABLES],
  );
  return rows.map(({ size }) => Number(size) / payouts);
}
const sum = (sizes: readonly number[]): number => sizes.reduce((all, size) => all + size, 0);
const show = (name: string, sizes: readonly number[]): void =>
  console.log(
    `${name}: ${Math.round(sum(sizes))} bytes for each payout (${TABLES.map((table, at) => `${table} ${Math.round(sizes[at] ?? 0)}`).join(", ")})`,
  );

async function fill(first: number, count: number): Promise<void> {
  for (let at = first; at < first + count; at += 1) await owner.query(FILL_BATCH, [`B${at}`, at]);
}

async function timed<T>(name: string, work: () => Promise<T>): Promise<T> {
  const startMs = performance.now();
  const value = await work();
  const seconds = (performance.now() - startMs) / 1_000;
  console.log(`${name}: ${seconds.toFixed(1)} s, ${Math.round(payouts / seconds)} payouts/s`);
  return value;
}

/** Milliseconds of a page of payouts, measured until `stop`. */
async function pages(stop: () => boolean): Promise<number[]> {
  const times: number[] = [];
  while (!stop()) {
    const startMs = performance.now();
    await sql`
      select p.id, d.transaction_code from payouts p join payout_details d on d.payout_id = p.id
      where p.state = 'settled' order by p.id desc limit 50`.execute(payrun.database);
    times.push(performance.now() - startMs);
    await systemClock.sleep(50);
  }
  return times;
}

await fill(0, batches);
await owner.query("vacuum analyze");
const before = await bytesByTable();
show("before", before);

const deps = { database: payrun.database, sealer: payrun.sealer, clock: systemClock };
const out = join(folder, "archives");
mkdirSync(out);
const order = { folder: out, until: new Date(), actor: "cli:bench" };
const run = await timed("create", () => createArchives(order, deps));
console.log(`peak memory: ${Math.round(process.resourceUsage().maxRSS / 1_024)} MB`);
const files = (run?.created ?? []).map(({ fileName }) => join(out, fileName));
const archived = files.reduce((all, file) => all + statSync(file).size, 0) / payouts;
console.log(`archive: ${Math.round(archived)} bytes for each payout, in ${files.length} files`);

let isDone = false;
let count = 0;
const idle = await pages(() => (count += 1) > 20);
const meanwhile = pages(() => isDone);
await timed("detach", async () => {
  for (const file of files) {
    const archive = await openArchive(file, payrun.sealer.publicKeys());
    await archive.verify();
    await detachArchive(archive, { actor: "cli:bench" }, deps);
    await archive.close();
  }
});
isDone = true;
const busy = (await meanwhile).toSorted((one, other) => one - other);
console.log(
  `a page: ${median(idle).toFixed(1)} ms before; meanwhile median ${median(busy).toFixed(1)} ms, p99 ${(busy[Math.floor(busy.length * 0.99)] ?? Number.NaN).toFixed(1)} ms`,
);
await owner.query("vacuum analyze");
show("after detach and vacuum", await bytesByTable());
await fill(batches, batches);
await owner.query("vacuum analyze");
const reused = await bytesByTable();
show("with as many new payouts in the space", reused);
await owner.query(`vacuum full ${TABLES.join(", ")}`);
const packed = await bytesByTable();
const stays = sum(packed) - sum(before);
console.log(
  `an archived payout keeps ${Math.round(stays)} bytes, ratio ${(stays / sum(before)).toFixed(2)}`,
);
console.log(`archive compared with the database: ${(archived / sum(before)).toFixed(2)}`);
await owner.end();
await payrun.close();
process.exit(0);
