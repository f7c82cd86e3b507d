import { expect, test } from "vitest";
import { databaseHealth } from "#ledger/store/health.ts";
import { openTestLedger } from "../../support/ledger.ts";
import { query } from "../../support/servers/postgres.ts";

test("reports a database that answers but does not store within a minute, and its recovery within seconds", async () => {
  const open = await openTestLedger();
  let nowMs = 0;
  const clock = { nowMs: () => 0, monotonicMs: () => nowMs, sleep: async () => {} };
  const health = databaseHealth(open.database, clock);
  expect(await Promise.all([health(), health()])).toEqual([[], []]);

  await query(
    open.url,
    `create function is_full() returns trigger language plpgsql as
       $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$;
     create trigger full_disk before insert on settings execute function is_full()`,
  );
  nowMs += 60_000;
  expect(await health()).toEqual(["the database is not accepting writes; its disk may be full"]);

  await query(open.url, "drop trigger full_disk on settings");
  nowMs += 5_000;
  expect(await health()).toEqual([]);
  await open.close();
  expect(await health()).toEqual(["the database is not responding"]);
});
