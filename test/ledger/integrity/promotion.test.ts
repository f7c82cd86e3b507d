import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { systemClock } from "#base/clock.ts";
import { type Database, openDatabase, openPrepared } from "#ledger/store/database.ts";
import { createLedger } from "#ledger/create-ledger.ts";
import { withAuditSeal } from "#ledger/integrity/audit-seal.ts";
import { NotReplicated } from "#ledger/integrity/replication.ts";
import type { Ledger } from "#ledger/ledger.ts";
import { migrate } from "#ledger/store/migrate.ts";
import { approvedBatch, claimOf, ingestFile, TEST_SEALER } from "../../support/ledger.ts";
import { eventually } from "../../support/servers/eventually.ts";
import { fileText, rowsOf } from "../../support/servers/payrun.ts";
import {
  type Replica,
  type Replication,
  startReplication,
} from "../../support/servers/replication.ts";

let servers: Replication;
let primary: Replica;
let standby: Replica;
let address: string;
let open: { destroy(): Promise<void> }[] = [];

beforeEach(async () => {
  servers = await startReplication();
  primary = servers.primary;
  standby = await servers.standbyOf(primary, "b");
  address = servers.addressOf([primary, standby]);
  const database = openDatabase(address);
  open.push(database);
  await migrate(database);
}, 60_000);
afterEach(async () => {
  await Promise.all(open.map((one) => one.destroy()));
  open = [];
  await servers.stop();
});

/** A process of payrun. */
function newProcess(): Ledger {
  const database = withAuditSeal(openDatabase(address), TEST_SEALER);
  const sending = openPrepared(address, 2);
  const asking = openPrepared(address, 2);
  open.push(database, sending, asking);
  return createLedger(database, TEST_SEALER, systemClock, { sending, asking });
}

/** Statements go to one server, and transactions to the other one. */
const mixedDatabase = (transactions: Database, statements: Database): Database =>
  new Proxy(statements, {
    get(target, name) {
      const from = name === "transaction" ? transactions : target;
      const value: unknown = Reflect.get(from, name, from);
      return typeof value === "function" ? value.bind(from) : value;
    },
  });

const place = async (server: Replica) =>
  (
    await server.query(
      "select replication, replicated_at is not null as confirmed, frozen_at is not null as frozen, number from payrun.epoch",
    )
  )[0];
const attempts = async (server: Replica) =>
  (await server.query<{ count: number }>("select count(*)::int as count from payrun.attempts"))[0]
    ?.count;

/** Turns synchronous replication on, and lets the ledger record and confirm it. */
async function replicateTo(names: string, ledger: Ledger): Promise<void> {
  await primary.set("synchronous_standby_names", names);
  await eventually("synchronous replication", async () => {
    const rows = await primary.query(
      "select from pg_stat_replication where sync_state in ('sync', 'quorum')",
    );
    return rows.length > 0;
  });
  await eventually(
    "the confirmed record",
    async () => {
      await ledger.integrity.verify();
      return (await place(primary))?.["confirmed"] === true;
    },
    10_000,
  );
}
const promoted = async () => {
  await primary.end("SIGKILL");
  await standby.promote();
};
/** The first check after a promotion may still meet a broken connection. */
const verified = (ledger: Ledger) =>
  eventually("a check of the promoted server", () =>
    ledger.integrity.verify().then(
      (freeze) => ({ freeze }),
      () => false as const,
    ),
  );
const claims = (ledger: Ledger, id: string, sizeMax: number) =>
  ledger.payout.openAttempts(claimOf(id, { sizeMax }));

describe("F25 a promoted standby", () => {
  test("continues without a freeze if every claim waited", async () => {
    const ledger = newProcess();
    await replicateTo("b", ledger);
    const { id } = await approvedBatch(ledger, rowsOf(6));
    expect(await claims(ledger, id, 2)).toHaveLength(2);
    await promoted();
    // The claim of a process that has not seen the promotion finds another server, and takes none.
    const early = await claims(ledger, id, 1).catch(() => []);
    expect(early).toEqual([]);
    expect(await verified(ledger)).toEqual({ freeze: null });
    expect(await attempts(standby)).toBe(2);
    expect(await claims(ledger, id, 1)).toHaveLength(1);
    expect(await claims(newProcess(), id, 1)).toHaveLength(1);
    const audit = await standby.query(
      "select facts from payrun.audit where action = 'follow_promotion'",
    );
    expect(audit).toHaveLength(1);
    expect(await place(standby)).toMatchObject({ frozen: false, number: 1, replication: null });
  }, 120_000);

  test("waits while another standby still trusts the record", async () => {
    await servers.standbyOf(primary, "c");
    const ledger = newProcess();
    await replicateTo("ANY 2 (b, c)", ledger);
    const { id } = await approvedBatch(ledger, rowsOf(2));
    await promoted();
    expect(await verified(ledger)).toMatchObject({
      freeze: { since: null, reason: /changed from ANY 2 \(b, c\) to none: payrun sends again 6/ },
    });
    expect(await claims(ledger, id, 1)).toEqual([]);
    expect(await place(standby)).toMatchObject({ frozen: false, replication: "ANY 2 (b, c)" });
  }, 120_000);

  test("freezes the ledger if claims did not wait", async () => {
    const ledger = newProcess();
    const { id } = await approvedBatch(ledger, rowsOf(6));
    await eventually(
      "the batch on the standby",
      async () =>
        (await standby.query("select from payrun.batches where state = 'approved'")).length === 1,
    );
    await standby.end("SIGKILL");
    expect(await claims(ledger, id, 2)).toHaveLength(2);
    await primary.end("SIGKILL");
    await standby.start();
    await standby.promote();
    expect(await attempts(standby)).toBe(0);
    // No process claims before the freeze, with or without knowledge of the old server.
    expect(await claims(newProcess(), id, 1)).toEqual([]);
    expect(await claims(ledger, id, 1).catch(() => [])).toEqual([]);
    expect(await verified(ledger)).toMatchObject({ freeze: { epoch: 2, reason: /timeline/ } });
    expect(await place(standby)).toMatchObject({ frozen: true });
  }, 120_000);

  test("takes no claim if its freeze went to the old primary", async () => {
    const { id } = await approvedBatch(newProcess(), rowsOf(2));
    await eventually(
      "the batch on the standby",
      async () =>
        (await standby.query("select from payrun.batches where state = 'approved'")).length === 1,
    );
    await standby.promote();
    await eventually("the promotion", async () => {
      const [row] = await standby.query<{ is: boolean }>("select pg_is_in_recovery() as is");
      return row?.is === false;
    });
    const [before, now] = [primary, standby].map((server) =>
      withAuditSeal(openDatabase(servers.addressOf([server])), TEST_SEALER),
    ) as [Database, Database];
    const database = mixedDatabase(before, now);
    open.push(before, now);
    const ledger = createLedger(database, TEST_SEALER, systemClock, { sending: now, asking: now });
    await expect(ledger.integrity.verify()).rejects.toThrow(
      "the database server changed while payrun froze the ledger",
    );
    expect(await claims(ledger, id, 1).catch(() => [])).toEqual([]);
    expect(await place(standby)).toMatchObject({ frozen: false, number: 1 });
  }, 120_000);

  test("freezes the ledger if only some of the standbys had each commit", async () => {
    const ledger = newProcess();
    await primary.set("synchronous_standby_names", "ANY 1 (b, c)");
    await approvedBatch(ledger, rowsOf(2));
    await ledger.integrity.verify();
    expect(await place(primary)).toMatchObject({ replication: null });
    await promoted();
    expect(await verified(ledger)).toMatchObject({ freeze: { epoch: 2 } });
  }, 120_000);
});

describe("F25 a claim that waits for the standby", () => {
  /** Starts a claim whose commit cannot reach the standby. */
  async function stuckClaim(): Promise<{ ledger: Ledger; id: string; claim: Promise<unknown> }> {
    const ledger = newProcess();
    await replicateTo("b", ledger);
    const { id } = await approvedBatch(ledger, rowsOf(4));
    // The next claim commits only itself.
    expect(await claims(ledger, id, 1)).toHaveLength(1);
    await standby.end("SIGKILL");
    const claim = claims(ledger, id, 2).catch((error: unknown) => error);
    await eventually("a commit that waits", async () => {
      const rows = await primary.query("select from pg_stat_activity where wait_event = 'SyncRep'");
      return rows.length > 0;
    });
    return { ledger, id, claim };
  }

  test("is not sent if an administrator cancels the wait", async () => {
    // The warning arrives although the server's setting would omit it.
    await primary.set("client_min_messages", "error");
    const { claim } = await stuckClaim();
    await primary.query(
      "select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'",
    );
    expect(await claim).toBeInstanceOf(NotReplicated);
  }, 120_000);

  test("leaves a cancellation uncertain if an administrator cancels its wait", async () => {
    const ledger = newProcess();
    await replicateTo("b", ledger);
    const { batch } = await ingestFile(ledger, fileText(rowsOf(4)));
    await standby.end("SIGKILL");
    const cancelled = ledger.payout
      .moveBatch({ id: batch.id, event: "cancel", actor: "a", reason: "drill" })
      .catch((error: unknown) => error);
    await eventually("a cancelled wait", async () => {
      const rows = await primary.query(
        "select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'",
      );
      return rows.length > 0;
    });
    expect(await cancelled).toBeInstanceOf(NotReplicated);
  }, 120_000);

  test("waits for a removed standby although its record was changed before", async () => {
    const ledger = newProcess();
    await replicateTo("b", ledger);
    await standby.end("SIGKILL");
    await primary.set("synchronous_standby_names", "FIRST 2 (b, c)");
    // The new record waits for the standby. The check does not.
    await eventually("a record that waits", async () => {
      await ledger.integrity.verify();
      const rows = await primary.query("select from pg_stat_activity where wait_event = 'SyncRep'");
      return rows.length > 0;
    });
    await primary.set("synchronous_standby_names", "");
    await eventually(
      "the new record",
      async () => (await place(primary))?.["replication"] === "FIRST 2 (b, c)",
    );
    expect(await ledger.integrity.verify()).toMatchObject({ reason: /payrun sends again 6 min/ });
  }, 120_000);

  test("is not sent if the standby is removed, and later claims wait as well", async () => {
    const { ledger, id, claim } = await stuckClaim();
    await primary.set("synchronous_standby_names", "");
    expect(await claim).toBeInstanceOf(NotReplicated);
    expect(await ledger.integrity.verify()).toMatchObject({
      since: null,
      cause: "removed_standby",
      reason:
        /^synchronous_standby_names changed from b to none: payrun sends again 6 minutes after/,
    });
    expect(await claims(ledger, id, 1)).toEqual([]);
    // The record is too old to be trusted: both sides agree on that.
    await primary.query("update payrun.epoch set replicated_at = now() - interval '361 seconds'");
    expect(await ledger.integrity.verify()).toBeNull();
    expect(await claims(ledger, id, 1)).toHaveLength(1);
  }, 120_000);
});
