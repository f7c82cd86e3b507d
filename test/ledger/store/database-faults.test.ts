import { closeSync, openSync, writeSync } from "node:fs";
import { sql as kysely } from "kysely";
import { Client } from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { systemClock } from "#base/clock.ts";
import { submitDue } from "#flows/payout/submit.ts";
import { roundAt } from "#jobs/submit.ts";
import { openDatabase } from "#ledger/store/database.ts";
import { createLedger } from "#ledger/create-ledger.ts";
import { retryWhileUnavailable } from "#ledger/store/database-errors.ts";
import type { OpenAttempt } from "#ledger/ledger.ts";
import { eventually } from "../../support/servers/eventually.ts";
import { flowDeps, scriptedGateway } from "../../support/flow.ts";
import {
  approvedBatch,
  claimOf,
  laneIn,
  openTestLedger,
  ownPostgres,
  TEST_SEALER,
  type TestLedger,
} from "../../support/ledger.ts";
import { lossyWire } from "../../support/servers/lossy-wire.ts";
import { rowsOf } from "../../support/servers/payrun.ts";
import { asTestOwner, query } from "../../support/servers/postgres.ts";

const postgres = ownPostgres();

let open: TestLedger;
let somebody: Client;
beforeEach(async () => {
  open = await openTestLedger();
  somebody = new Client({ connectionString: asTestOwner(open.url) });
  somebody.on("error", () => {});
  await somebody.connect();
  await somebody.query("set search_path to payrun");
});
afterEach(async () => {
  await somebody.end().catch(() => {});
  await open.close();
});

const sql = (text: string) => query(open.url, text);
const states = async () =>
  (await sql("select state from payouts order by line")).map((row) => row["state"]);
const events = async (): Promise<unknown[]> =>
  (await sql("select event from transitions order by payout_id, seq")).map((row) => row["event"]);
const accepting = ({ payoutId, seq }: OpenAttempt) => ({
  payoutId,
  seq,
  from: "submitting" as const,
  event: "accept" as const,
  reason: null,
  dueInMs: 0,
  actor: "test",
  evidence: null,
});

test("F07 commits once when the answer is lost, and claims no payout twice", async () => {
  const { id } = await approvedBatch(open.ledger, rowsOf(2));
  const wire = await lossyWire(open.url);
  const far = await openTestLedger(wire.url);
  const [first] = await far.ledger.payout.openAttempts(claimOf(id, { sizeMax: 1 }));
  if (!first) throw new Error("nothing claimed");

  wire.loseNextAnswer();
  // It is retried, because its success is unknown. The second one finds nothing to move.
  expect(await far.ledger.payout.move(accepting(first))).toBe(false);
  expect(await events()).toEqual(["approve", "send", "accept", "approve"]);

  wire.loseNextAnswer();
  await expect(far.ledger.payout.openAttempts(claimOf(id))).rejects.toThrow(
    "Connection terminated",
  );
  expect(await states()).toEqual(["accepted", "submitting"]);
  // Claimed by an unknown process: it is not sent, and is queried when its lease expires.
  expect(await far.ledger.payout.openAttempts(claimOf(id))).toEqual([]);
  await sql("update payouts set due_at = now()");
  expect(await open.ledger.payout.expireLeases(id)).toBe(1);
  expect(await states()).toEqual(["accepted", "in_doubt"]);
  await far.close();
  wire.stop();
});

/** PostgreSQL's error for writers to this table when the disk below it is full. */
const fillDisk = (table: string) =>
  sql(`
    create or replace function disk_is_full() returns trigger language plpgsql as $$
      begin raise exception 'could not extend file: No space left on device' using errcode = 'disk_full'; end $$;
    create trigger full_disk before insert on ${table} for each statement execute function disk_is_full()`);
const freeDisk = (table: string) => sql(`drop trigger full_disk on ${table}`);

test("F27 sends no payout on a full disk, records results once there is space, and still reads", async () => {
  const { id } = await approvedBatch(open.ledger, rowsOf(3));
  const gateway = scriptedGateway();
  const { deps } = flowDeps(open.ledger, gateway);
  const send = () =>
    submitDue(
      { batchId: id, lane: laneIn("INR"), slot: 0, rank: 1, round: roundAt(systemClock.nowMs()) },
      deps,
    );

  await fillDisk("attempts");
  await expect(send()).rejects.toThrow("No space left");
  expect(gateway.sent).toEqual([]);
  expect(await open.ledger.payout.progressOf(id)).toMatchObject([{ state: "approved", count: 3 }]);
  await freeDisk("attempts");

  gateway.submit = async () => {
    if (gateway.sent.length === 1) {
      await fillDisk("evidence");
      setTimeout(() => void freeDisk("evidence"), 400);
    }
    return { kind: "accepted" };
  };
  await send();
  expect(gateway.sent).toHaveLength(3);
  expect(await states()).toEqual(["accepted", "accepted", "accepted"]);
});

test("F29 repeats every transition aborted by a deadlock exactly once", async () => {
  // The other one waits forever, so that PostgreSQL aborts our statement.
  await sql(`alter database ${new URL(open.url).pathname.slice(1)} set deadlock_timeout = '3s'`);
  await somebody.query("set deadlock_timeout = '1h'");
  const ours = await openTestLedger(open.url);
  const { id } = await approvedBatch(ours.ledger, rowsOf(3));
  const attempts = await ours.ledger.payout.openAttempts(claimOf(id));
  const [, second, third] = attempts;

  await somebody.query("begin");
  await somebody.query("select from payouts where id = $1 for update", [third?.payoutId]);
  const moved = Promise.all(attempts.map((attempt) => ours.ledger.payout.move(accepting(attempt))));
  await eventually("the moves wait for a row", async () => {
    const waiting = await sql(
      "select from pg_stat_activity where application_name like 'payrun %' and wait_event_type = 'Lock'",
    );
    return waiting.length > 0;
  });
  await somebody.query("select from payouts where id = $1 for update", [second?.payoutId]);
  await somebody.query("rollback");

  expect(await moved).toEqual([true, true, true]);
  expect(await events()).toEqual(attempts.flatMap(() => ["approve", "send", "accept"]));
  // The transitions may have been in two transactions, which are then both aborted.
  await eventually("the deadlock is counted", async () => {
    const [row] = await sql(
      "select deadlocks::int as n from pg_stat_database where datname = current_database()",
    );
    return Number(row?.["n"]) > 0;
  });
  await ours.close();
});

test("F30 ends a claim at its deadline without a free connection, and lets an outcome wait", async () => {
  const { id } = await approvedBatch(open.ledger, rowsOf(2));
  const database = openDatabase(open.url, 1);
  const ledger = createLedger(database, TEST_SEALER, systemClock);
  const [first] = await ledger.payout.openAttempts(claimOf(id, { sizeMax: 1 }));
  if (!first) throw new Error("nothing claimed");

  let letGo = () => {};
  const held = database.connection().execute(() => new Promise<void>((done) => (letGo = done)));
  const moved = ledger.payout.move(accepting(first));
  await expect(ledger.payout.openAttempts(claimOf(id))).rejects.toThrow("timeout exceeded");
  expect(await states()).toEqual(["submitting", "approved"]);
  letGo();
  await held;
  expect(await moved).toBe(true);
  expect(await ledger.payout.openAttempts(claimOf(id))).toHaveLength(1);
  await database.destroy();
});

test("F31 blocks only its own row during a long transaction, and nothing waits forever", async () => {
  const { id } = await approvedBatch(open.ledger, rowsOf(3));
  await somebody.query("begin");
  await somebody.query("select from payouts where line = 3 for update");

  const claimed = await open.ledger.payout.openAttempts(claimOf(id));
  expect(claimed).toHaveLength(2);
  await sql("update payouts set due_at = now() where line <> 3");
  expect(await open.ledger.payout.expireLeases(id)).toBe(2);
  const take = { batchId: id, lane: laneIn("INR"), sizeMax: 10, leaseMs: 1_000 };
  expect(await open.ledger.payout.claimStatusQueries(take)).toHaveLength(2);
  await somebody.query("rollback");
  expect(await open.ledger.payout.openAttempts(claimOf(id))).toHaveLength(1);

  const limits = ["statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"];
  for (const limit of limits) {
    const { rows } = await kysely`select current_setting(${limit}) as now`.execute(open.database);
    expect(rows).not.toEqual([{ now: "0" }]);
  }
});

test("F33 detects a corrupt page of the ledger, and sends none of its payouts", async () => {
  const { id } = await approvedBatch(open.ledger, rowsOf(20));
  await open.ledger.integrity.verify();
  const [place] = await sql(
    "select current_setting('data_directory') || '/' || pg_relation_filepath('payouts') as file",
  );
  // Any process that writes the page again would repair it.
  await sql("alter table payouts set (autovacuum_enabled = off)");
  await sql("checkpoint");
  const file = openSync(String(place?.["file"]), "r+");
  // In the rows of the first page, which are at its end.
  writeSync(file, Buffer.from([0xff]), 0, 1, 8_192 - 40);
  closeSync(file);
  const server = postgres();
  await server.kill();
  await server.restart();

  await eventually("PostgreSQL is verified again", async () =>
    open.ledger.integrity.verify().then(
      () => true,
      () => false,
    ),
  );
  await expect(open.ledger.payout.openAttempts(claimOf(id))).rejects.toThrow(/invalid page/);
  expect(await sql("select count(*)::int as n from attempts")).toEqual([{ n: 0 }]);
});

test.each([
  ["no host accepts writes", "ENOPRIMARY"],
  ["the server has become read-only", "25006"],
])("F25 an outcome is written later if %s", async (_, code) => {
  let runs = 0;
  const written = await retryWhileUnavailable(
    30_000,
    async () => {},
    async () => {
      runs += 1;
      if (runs === 1) throw Object.assign(new Error("switchover"), { code });
      return "written";
    },
  );
  expect(written).toBe("written");
});
