import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { freshDatabase } from "./ledger.ts";
import { ROOT } from "./servers/payrun.ts";
import { query } from "./servers/postgres.ts";

/** A ledger as an older version left it: with the migrations before this one. */
export async function olderLedger(firstNew: string): Promise<string> {
  const url = await freshDatabase();
  await query(
    url,
    `create schema payrun; create table payrun.migrations (
      number integer primary key, name text not null, checksum text not null, at timestamptz not null default now())`,
  );
  const folder = join(ROOT, "migrations");
  for (const name of readdirSync(folder).sort()) {
    if (name >= firstNew) continue;
    const text = readFileSync(join(folder, name), "utf8");
    await query(url, text);
    await query(url, "insert into migrations (number, name, checksum) values ($1, $2, $3)", [
      Number(name.slice(0, 4)),
      name,
      createHash("sha256").update(text).digest("hex"),
    ]);
  }
  return url;
}
