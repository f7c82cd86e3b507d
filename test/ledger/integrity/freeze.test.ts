import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { systemClock } from "#base/clock.ts";
import { cancelBatch } from "#flows/payout/lane/control-batch.ts";
import { findSinceFreeze } from "#ledger/integrity/since-freeze.ts";
import { openDatabase } from "#ledger/store/database.ts";
import { createLedger } from "#ledger/create-ledger.ts";
import type { Ledger } from "#ledger/ledger.ts";
import { verifyAudit } from "#ledger/integrity/audit-hash-chain.ts";
import type { RestoreMarker, RestoreMarkerStore } from "#ledger/integrity/restore-marker.ts";
import {
  approvedBatch,
  claimOf,
  openTestLedger,
  ingestFile,
  TEST_SEALER,
  type TestLedger,
} from "../../support/ledger.ts";
import { fileText, rowsOf } from "../../support/servers/payrun.ts";
import { query } from "../../support/servers/postgres.ts";

let open: TestLedger;
let others: { destroy(): Promise<void> }[] = [];
beforeEach(async () => {
  open = await openTestLedger();
});
afterEach(async () => {
  await Promise.all(others.map((other) => other.destroy()));
  others = [];
  await open.close();
});

const integrityRoom = () => open.ledger.integrity;
/** Another process on the ledger. */
function another(url: string, outside: Parameters<typeof createLedger>[3] = {}): Ledger {
  const database = openDatabase(url);
  others.push(database);
  return createLedger(database, TEST_SEALER, systemClock, outside);
}

/** An in-memory file for the restore marker. */
function keptWitness(): RestoreMarkerStore & { kept: RestoreMarker | null } {
  const store = {
    kept: null as RestoreMarker | null,
    read: async () => store.kept,
    write: async (witness: RestoreMarker) => {
      store.kept = witness;
    },
  };
  return store;
}

/** A copy of the database, like a dump restored into another one. */
async function copyOf(url: string): Promise<string> {
  await open.close();
  const name = new URL(url).pathname.slice(1);
  const copy = `${name}_copy`;
  const elsewhere = Object.assign(new URL(url), { pathname: "/postgres" }).href;
  await query(elsewhere, `create database ${copy} template ${name}`);
  return Object.assign(new URL(url), { pathname: `/${copy}` }).href;
}

const sql = (text: string, url = open.url) => query(url, text);
const by = { reason: "a drill", actor: "test" };
const order = (epoch: number) => ({ epoch, ...by });

describe("F26 the ledger's place", () => {
  test("stays the same: every new process may send", async () => {
    const { id } = await approvedBatch(open.ledger, rowsOf(3));
    expect(await integrityRoom().verify()).toBeNull();
    expect(await open.ledger.payout.openAttempts(claimOf(id, { sizeMax: 2 }))).toHaveLength(2);
    const other = another(open.url);
    expect(await other.payout.openAttempts(claimOf(id))).toHaveLength(1);
  });

  test("changes with a copy: the ledger freezes, and claims stop", async () => {
    const { id } = await approvedBatch(open.ledger, rowsOf(2));
    await integrityRoom().verify();
    const url = await copyOf(open.url);
    const copy = another(url);
    expect(await copy.payout.openAttempts(claimOf(id))).toEqual([]);
    expect(await copy.integrity.verify()).toMatchObject({
      epoch: 2,
      reason: /in a different database than before/,
    });
    // A restore is found once, by one process.
    expect(await another(url).integrity.verify()).toMatchObject({ epoch: 2 });
    const audit = await sql("select action, facts from audit order by seq desc limit 1", url);
    expect(audit).toEqual([
      { action: "freeze", facts: expect.stringMatching(/in a different database than before/) },
    ]);
  });

  test("is not taken from another table: a dump restored over the old tables", async () => {
    await integrityRoom().verify();
    await sql("create table again (like epoch including all)");
    await sql("insert into again select * from epoch");
    await sql("drop table epoch");
    await sql("alter table again rename to epoch");
    await sql("grant select, insert, update on epoch to payrun_app");
    expect(await integrityRoom().verify()).toMatchObject({ reason: /made anew/ });
  });
});

describe("F25 F26 records outside the ledger", () => {
  test("show a missing attempt that this process made", async () => {
    const { id } = await approvedBatch(open.ledger, rowsOf(2));
    await open.ledger.payout.openAttempts(claimOf(id, { sizeMax: 1 }));
    await sql("alter table attempts disable trigger append_only");
    await sql("delete from attempts");
    // Before any check: the claim itself notices it.
    expect(await open.ledger.payout.openAttempts(claimOf(id))).toEqual([]);
    expect(await integrityRoom().verify()).toMatchObject({ reason: /attempt .* is missing/ });
  });

  test("show PostgreSQL's log behind the position on disk", async () => {
    const restoreMarker = keptWitness();
    await another(open.url, { restoreMarker }).integrity.verify();
    if (restoreMarker.kept) restoreMarker.kept = { ...restoreMarker.kept, wal: "FF/0" };
    expect(await another(open.url, { restoreMarker }).integrity.verify()).toMatchObject({
      reason: /is behind/,
    });
    // The freeze is known outside and is no reason for the next one.
    expect(await another(open.url, { restoreMarker }).integrity.verify()).toMatchObject({
      epoch: 2,
    });
  });

  test("show a later epoch than the ledger's", async () => {
    const restoreMarker = keptWitness();
    await another(open.url, { restoreMarker }).integrity.verify();
    if (restoreMarker.kept) restoreMarker.kept = { ...restoreMarker.kept, epoch: 3 };
    expect(await another(open.url, { restoreMarker }).integrity.verify()).toMatchObject({
      reason: /epoch 3 was/,
    });
  });

  test("are outdated with an earlier epoch: others have unfrozen the ledger since", async () => {
    const restoreMarker = keptWitness();
    await another(open.url, { restoreMarker }).integrity.verify();
    await integrityRoom().freeze(by);
    await integrityRoom().unfreeze(order(2));
    if (restoreMarker.kept) restoreMarker.kept = { ...restoreMarker.kept, wal: "FF/0" };
    expect(await another(open.url, { restoreMarker }).integrity.verify()).toBeNull();
    expect(restoreMarker.kept).toMatchObject({ epoch: 2 });
  });

  test("do not stop sending when the restore marker cannot be written", async () => {
    const restoreMarker = {
      read: async () => null,
      write: () => Promise.reject(new Error("read-only file system")),
    };
    expect(await another(open.url, { restoreMarker }).integrity.verify()).toBeNull();
  });
});

describe("LEDGER_EPOCH", () => {
  test("reports a restore when it is above the ledger's", async () => {
    expect(await another(open.url, { epoch: 4 }).integrity.verify()).toMatchObject({
      epoch: 4,
      reason: /LEDGER_EPOCH is 4/,
    });
    expect(await another(open.url, { epoch: 4 }).integrity.verify()).toMatchObject({ epoch: 4 });
    expect(await integrityRoom().unfreeze(order(4))).toBe(true);
    expect(await another(open.url, { epoch: 4 }).integrity.verify()).toBeNull();
  });

  test("stops only this process when it is below the ledger's epoch", async () => {
    const { id } = await approvedBatch(open.ledger, rowsOf(2));
    await integrityRoom().verify();
    await integrityRoom().freeze(by);
    await sql("update payouts set queried_at = now()");
    expect(await integrityRoom().unfreeze(order(2))).toBe(true);
    const old = another(open.url, { epoch: 1 });
    expect(await old.payout.openAttempts(claimOf(id))).toEqual([]);
    expect(await old.integrity.verify()).toMatchObject({
      since: null,
      cause: "other_epoch",
      reason: /LEDGER_EPOCH is 1/,
    });
    await integrityRoom().verify();
    expect(await open.ledger.payout.openAttempts(claimOf(id))).toHaveLength(2);
  });
});

describe("while the ledger is frozen", () => {
  test("queries all payouts in progress page by page, and unfreezes the ledger afterwards", async () => {
    const { id } = await approvedBatch(open.ledger, rowsOf(3));
    await ingestFile(open.ledger, fileText(rowsOf(2)));
    await integrityRoom().verify();
    expect(await integrityRoom().claimUnsent({ after: 0, sizeMax: 10, leaseMs: 0 })).toEqual([]);
    await integrityRoom().freeze(by);
    const page = await integrityRoom().claimUnsent({ after: 0, sizeMax: 3, leaseMs: 60_000 });
    expect(page).toHaveLength(3);
    const last = page.at(-1)?.payoutId ?? 0;
    const rest = await integrityRoom().claimUnsent({
      after: last,
      sizeMax: 3,
      leaseMs: 60_000,
    });
    expect(rest.map(({ state }) => state)).toEqual(["awaiting_approval", "awaiting_approval"]);
    // Leased, so that no other process queries the same.
    expect(await integrityRoom().claimUnsent({ after: 0, sizeMax: 9, leaseMs: 0 })).toEqual([]);

    for (const { payoutId, seq, state } of [...page, ...rest]) {
      expect(await integrityRoom().unfreeze(order(2))).toBe(false);
      const answer = { payoutId, seq, from: state, event: null, reason: null, dueInMs: 0 };
      await open.ledger.payout.move({ ...answer, actor: "test", evidence: null, answered: true });
    }
    expect(await integrityRoom().laneProgress()).toMatchObject([{ open: 5, unqueried: 0 }]);
    expect(await open.ledger.payout.openAttempts(claimOf(id))).toEqual([]);
    expect(await integrityRoom().unfreeze(order(1))).toBe(false);
    expect(await integrityRoom().unfreeze(order(2))).toBe(true);
    await integrityRoom().verify();
    expect(await open.ledger.payout.openAttempts(claimOf(id))).toHaveLength(3);
    expect(await verifyAudit(open.database)).toMatchObject({ intact: true });
  });

  test("holds payouts that cannot be queried when a person says so", async () => {
    const { id } = await approvedBatch(open.ledger, rowsOf(3));
    await integrityRoom().verify();
    expect(await open.ledger.payout.openAttempts(claimOf(id, { sizeMax: 1 }))).toHaveLength(1);
    expect(await integrityRoom().freeze(by)).toBe(2);
    expect(await integrityRoom().freeze(by)).toBeNull();
    await sql("update payouts set queried_at = now() where line = 2");
    expect(await integrityRoom().unfreeze(order(2))).toBe(false);
    expect(await integrityRoom().unfreeze({ ...order(2), holdUnqueried: true })).toBe(true);
    const rows = await sql("select state, reason from payouts where state = 'on_hold'");
    expect(rows).toEqual([
      { state: "on_hold", reason: "not_queried" },
      { state: "on_hold", reason: "not_queried" },
    ]);
    const moves = await sql("select from_state from transitions where event = 'hold'");
    expect(moves).toHaveLength(2);
    expect(await integrityRoom().verify()).toBeNull();
  });

  test("F73 reports later findings: payouts on hold, and callbacks for unknown codes", async () => {
    await approvedBatch(open.ledger, [{ code: "HELD-1" }, { code: "KEPT-1" }]);
    await open.ledger.payout.recordCallback({
      payoutId: null,
      facts: { transactionCode: "BEFORE-1" },
    });
    await integrityRoom().verify();
    await integrityRoom().freeze(by);
    const since = (await integrityRoom().verify())?.since ?? new Date();
    await open.ledger.payout.recordCallback({
      payoutId: null,
      facts: { transactionCode: "LOST-1" },
    });
    await open.ledger.payout.recordCallback({
      payoutId: null,
      facts: { transactionCode: "LOST-1", n: 2 },
    });
    await sql("update payouts set queried_at = now() where line = 3");
    await integrityRoom().unfreeze({ ...order(2), holdUnqueried: true });
    expect(await findSinceFreeze(open.database, since, 20)).toMatchObject({
      held: [{ transactionCode: "HELD-1", reason: "not_queried" }],
      heldCount: 1,
      strayCodes: ["LOST-1"],
      strayCount: 1,
    });
  });

  test("cancels nothing as unsent", async () => {
    const { id } = await approvedBatch(open.ledger, rowsOf(2));
    await integrityRoom().verify();
    await integrityRoom().freeze(by);
    const cancelled = await cancelBatch({ batchId: id, actor: "test", reason: null }, open.ledger);
    expect(cancelled).toMatchObject({ ok: false, error: { kind: "frozen" } });
    expect(await open.ledger.payout.cancelDeferred(id)).toBe(0);
    expect(await open.ledger.payout.cancelRest({ id, reason: null, actor: "test" })).toBeNull();
    expect(await sql("select distinct state from payouts")).toEqual([{ state: "approved" }]);
  });

  test("keeps the probe of a stopped lane", async () => {
    const { id, lanes } = await approvedBatch(open.ledger, rowsOf(2));
    await integrityRoom().verify();
    await open.ledger.payout.stopLane(lanes[0]?.lane ?? "", {
      until: "wait",
      reason: "x",
      afterMs: 0,
    });
    await integrityRoom().freeze(by);
    expect(await open.ledger.payout.openAttempts(claimOf(id))).toEqual([]);
    await sql("update payouts set queried_at = now()");
    await integrityRoom().unfreeze(order(2));
    await integrityRoom().verify();
    expect(await open.ledger.payout.openAttempts(claimOf(id))).toMatchObject([
      { isProbe: true, isRestored: true },
    ]);
  });
});

test("reads everything with an ordinary database role", async () => {
  await integrityRoom().verify();
  await sql("create role clerk login password 'x'; grant all on schema payrun to clerk");
  await sql("grant all on all tables in schema payrun to clerk");
  const url = Object.assign(new URL(open.url), { username: "clerk", password: "x" }).href;
  expect(await another(url).integrity.verify()).toBeNull();
});
