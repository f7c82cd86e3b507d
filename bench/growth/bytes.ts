/**
 * Bytes per payout of each table and index: after the ingest, after the settlement, and after a
 * vacuum. Several batches of the same size are paid one after the other. The growth by the last
 * one, after a vacuum, is what a payout needs for ever: the first batches leave free space that
 * later ones use.
 *
 * Run as: node bench/growth/bytes.ts [--rows N] [--batches N] [--group N]
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { sql } from "kysely";
import { startEmbedded } from "#ledger/embedded/start.ts";
import { type Database, openDatabase } from "#ledger/store/database.ts";
import {
  acceptAll,
  approveBatch,
  claimAll,
  claimQueries,
  ingestFile,
  settleAll,
} from "../sending/ledger-walk.ts";
import { openEmbedded, scratch, writeInrFile } from "../support.ts";

type Sizes = ReadonlyMap<string, number>;

/** Returns the bytes of each table and index of the ledger, with an index below its table. */
async function sizesOf(database: Database): Promise<Sizes> {
  const { rows } = await sql<{ name: string; bytes: number }>`
    select coalesce(t.relname || ' / ', '') || c.relname as name,
      pg_relation_size(c.oid) + coalesce(pg_total_relation_size(nullif(c.reltoastrelid, 0)), 0) as bytes
    from pg_class c
      left join pg_index i on i.indexrelid = c.oid
      left join pg_class t on t.oid = i.indrelid
    where c.relnamespace = 'payrun'::regnamespace and c.relkind in ('r', 'i')
    order by 1`.execute(database);
  return new Map(rows.map(({ name, bytes }) => [name, bytes]));
}

/** Smallest growth per payout that is printed. */
const PRINTED_MIN = 1;

function growth(title: string, before: Sizes, after: Sizes, payouts: number): string {
  const each = [...after].map(
    ([name, bytes]) => [name, (bytes - (before.get(name) ?? 0)) / payouts] as const,
  );
  const total = each.reduce((sum, [, bytes]) => sum + bytes, 0);
  const lines = each
    .filter(([, bytes]) => Math.abs(bytes) >= PRINTED_MIN)
    .map(([name, bytes]) => `  ${bytes.toFixed(0).padStart(6)}  ${name}`);
  return [`${title}: ${total.toFixed(0)} bytes per payout`, ...lines, ""].join("\n");
}

const { values } = parseArgs({
  options: {
    rows: { type: "string", default: "20000" },
    batches: { type: "string", default: "3" },
    group: { type: "string", default: "32" },
  },
});
const payouts = Number(values.rows);
const options = { group: Number(values.group) };

const folder = scratch();
const payrun = await openEmbedded(folder);
const { ownerUrl } = await startEmbedded(join(folder, "data"));
const owner = openDatabase(ownerUrl, 1);
const { database } = payrun;
for (let number = 1; number <= Number(values.batches); number += 1) {
  const file = writeInrFile(join(folder, `${number}.csv`), payouts, number);
  const empty = await sizesOf(database);
  const batch = await ingestFile(file, payrun);
  const ingested = await sizesOf(database);
  await approveBatch(batch, payrun);
  await acceptAll(await claimAll(batch, payrun, options), payrun, options);
  await settleAll(await claimQueries(batch, payrun, options), payrun, options);
  const settled = await sizesOf(database);
  await sql`vacuum`.execute(owner);
  const vacuumed = await sizesOf(database);
  process.stdout.write(
    `Batch ${number}\n${growth("After the ingest", empty, ingested, payouts)}${growth("After the settlement", empty, settled, payouts)}${growth("After a vacuum", empty, vacuumed, payouts)}\n`,
  );
}
await owner.destroy();
await payrun.close();
process.exit(0);
