import { setTimeout as delay } from "node:timers/promises";
import { Client } from "pg";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type Database, openDatabase } from "#ledger/store/database.ts";
import { bindKey } from "#ledger/integrity/sealing-keys.ts";
import { appliedMigrations, migrate } from "#ledger/store/migrate.ts";
import { createSealer } from "#ledger/store/sealing.ts";
import { Secret } from "#base/secret.ts";
import { version as ownVersion } from "#base/version.ts";
import { freshDatabase, TEST_SEALER } from "../../support/ledger.ts";
import { query } from "../../support/servers/postgres.ts";

let url: string;
let database: Database;
beforeEach(async () => {
  url = await freshDatabase();
  database = openDatabase(url);
});
afterEach(() => database.destroy());

/** From the next connection on. */
const READ_ONLY = `do $$ begin
  execute format('alter database %I set default_transaction_read_only = on', current_database()); end $$`;

describe("migrations", () => {
  test("run only once", async () => {
    expect(await migrate(database)).not.toEqual([]);
    expect(await migrate(database)).toEqual([]);
  });

  test("F102 run once when started by many processes", async () => {
    const others = Array.from({ length: 5 }, () => openDatabase(url));
    const ran = await Promise.all([database, ...others].map((each) => migrate(each)));
    expect(ran.filter((names) => names.length > 0)).toHaveLength(1);
    await Promise.all(others.map((each) => each.destroy()));
  });

  test("F102 wait for long ones elsewhere, longer than for any other lock", async () => {
    const other = new Client({ connectionString: url });
    await other.connect();
    await other.query("select pg_advisory_lock(hashtext('payrun migrate'))");
    const ran = migrate(database);
    await delay(11_000);
    await other.end();
    expect(await ran).not.toEqual([]);
  });

  test("F102 block no other process when their lock cannot be released", async () => {
    await query(
      url,
      `create schema payrun; create function payrun.pg_advisory_unlock(integer) returns boolean language plpgsql
        as 'begin raise exception ''out of memory''; end'`,
    );
    expect(await migrate(database)).not.toEqual([]);
    const isFree = "select pg_try_advisory_lock(hashtext('payrun migrate')) as free";
    await vi.waitFor(async () => expect(await query(url, isFree)).toEqual([{ free: true }]));
    expect(await migrate(database)).toEqual([]);
  });

  test("of a read-only ledger are read, without any other action", async () => {
    await migrate(database);
    await bindKey(database, TEST_SEALER.keyCheck);

    await query(url, READ_ONLY);
    const later = openDatabase(url);
    expect(await migrate(later)).toEqual([]);
    expect(await bindKey(later, TEST_SEALER.keyCheck)).toBeUndefined();
    await later.destroy();
  });

  test("F101 refuse a ledger of a newer payrun", async () => {
    await migrate(database);
    await query(
      url,
      `insert into migrations (number, name, checksum, version)
        values (9998, '9998-later.sql', 'x', '7.1.0'), (9999, '9999-latest.sql', 'x', null)`,
    );
    await expect(migrate(database)).rejects.toThrow(
      /^A newer version .* does not know migrations 9998-later\.sql, run by payrun 7\.1\.0; 9999-latest\.sql\. No changes were made\.$/,
    );
  });

  test("refuse a migration that was edited after it ran", async () => {
    await migrate(database);
    await query(url, "update migrations set checksum = 'edited' where number = 1");
    await expect(migrate(database)).rejects.toThrow(
      /^A different version of payrun .* the checksum differs for migration 0001-.*\.sql, run by payrun .* No changes were made\.$/,
    );
  });

  test("store the version that ran them, and read a ledger from before the version was stored", async () => {
    await migrate(database);
    const versions = await query(url, "select distinct version from migrations");
    expect(versions).toEqual([{ version: ownVersion }]);
    await query(
      url,
      "alter table migrations drop column version; update migrations set checksum = 'edited' where number = 1",
    );
    await expect(migrate(database)).rejects.toThrow(
      /the checksum differs for migration 0001-[a-z-]+\.sql\. No changes were made/,
    );
  });

  test("F102 do not wait for a lock forever, and roll back completely", async () => {
    const [, next = ""] = await migrate(database);
    await query(
      url,
      `drop table epoch; alter table payouts drop column queried_at;
      delete from migrations where name = '${next}'`,
    );
    const somebody = new Client({ connectionString: url });
    await somebody.connect();
    await somebody.query("begin; lock table payrun.payouts in share mode");
    await expect(migrate(database)).rejects.toThrow("lock timeout");
    const applied = (await appliedMigrations(database)).map(({ name }) => name);
    expect(applied).not.toContain(next);
    expect(await query(url, "select to_regclass('epoch') as place")).toEqual([{ place: null }]);
    await somebody.end();
    expect(await migrate(database)).toEqual([next]);
  });

  test("do not touch other schemas", async () => {
    await migrate(database);
    const tables = await query(
      url,
      `select distinct table_schema from information_schema.tables
       where table_schema not in ('pg_catalog', 'information_schema')`,
    );
    expect(tables).toEqual([{ table_schema: "payrun" }]);
  });
});

test("F103 refuses another PAYRUN_KEY than the ledger's own", async () => {
  await migrate(database);
  await bindKey(database, TEST_SEALER.keyCheck);
  await bindKey(database, TEST_SEALER.keyCheck);
  const other = createSealer(
    new Secret("91e07c5ab2d84f6310f9ce8d27a46b53e8150dc37f6294bb0a1d83f7c25e96b4"),
  );
  await expect(bindKey(database, other.keyCheck)).rejects.toThrow("PAYRUN_KEY is not the key");
});
