import { afterEach, beforeEach, expect, test } from "vitest";
import { systemClock } from "#base/clock.ts";
import { approve, totalsOf } from "#flows/approval/approve.ts";
import { createLedger } from "#ledger/create-ledger.ts";
import type { Batch, Ledger } from "#ledger/ledger.ts";
import { decideQuarantine, findLostBatches } from "#ledger/intake/quarantine.ts";
import { createRestoreMemory } from "#ledger/integrity/restore-memory.ts";
import {
  approvedBatch,
  claimOf,
  openTestLedger,
  ingestFile,
  type TestLedger,
} from "../../support/ledger.ts";
import { fileText, rowsOf, scratch } from "../../support/servers/payrun.ts";
import { query } from "../../support/servers/postgres.ts";

let open: TestLedger;
beforeEach(async () => {
  open = await openTestLedger();
});
afterEach(() => open.close());

const FREEZE = { reason: "manually: a test", actor: "test" };
const approving = (ledger: Ledger, batch: Batch) =>
  approve(
    batch.id,
    { actor: "checker", contentDigest: batch.contentDigest, totals: totalsOf(batch) },
    { ledger },
  );
const decide = (batchId: string, decision: "kept" | "released") =>
  open.database.transaction().execute((transaction) =>
    decideQuarantine(transaction, {
      batchId,
      decision,
      reason: "compared with the gateway's list",
      actor: "test",
      at: new Date(),
    }),
  );
/** The same ledger, with a machine's restore memory in this folder. */
const withMemory = (folder: string, { database, sealer } = open): Ledger =>
  createLedger(database, sealer, systemClock, {
    restoreMemory: createRestoreMemory(folder, systemClock),
  });

test("F26 does not approve a batch that arrived in a frozen ledger before a person releases it", async () => {
  const { ledger } = open;
  await ledger.integrity.verify();
  await ledger.integrity.freeze(FREEZE);
  const { batch } = await ingestFile(ledger, fileText(rowsOf(2)));
  const refused = await approving(ledger, batch);
  expect(refused).toMatchObject({ error: { kind: "quarantined", causes: [{ cause: "frozen" }] } });
  const unasked = { epoch: 2, reason: "go on", actor: "test", holdUnqueried: true };
  expect(await ledger.integrity.unfreeze(unasked)).toBe(false);
  await query(open.url, "update payouts set queried_at = now()");
  expect(await ledger.integrity.unfreeze(unasked)).toBe(false);
  expect(await ledger.integrity.unfreeze({ ...unasked, keep: [batch.id] })).toBe(true);

  expect(await approving(ledger, batch)).toMatchObject({ error: { kind: "quarantined" } });
  const byHand = `update batches set state = 'approved' where id = '${batch.id}'`;
  await expect(query(open.url, byHand)).rejects.toThrow(/quarantine|approvals/);
  expect(await decide(batch.id, "released")).toBe(true);
  expect(await decide(batch.id, "kept")).toBe(false);
  expect(await approving(ledger, batch)).toMatchObject({ ok: true });
  await ledger.integrity.verify();
  expect(await ledger.payout.openAttempts(claimOf(batch.id))).toHaveLength(2);
});

test("F26 claims no payout of an approved batch once it is quarantined", async () => {
  const { id } = await approvedBatch(open.ledger, rowsOf(3));
  expect(await open.ledger.payout.openAttempts(claimOf(id, { sizeMax: 1 }))).toHaveLength(1);
  await query(
    open.url,
    `insert into quarantine (batch_id, cause, rows) values ('${id}', 'frozen', 3)`,
  );
  expect(await open.ledger.payout.openAttempts(claimOf(id))).toEqual([]);
});

test("F26 teaches a worker on another machine a batch before it claims, and stops one that its memory knows as lost", async () => {
  const [here, there] = [scratch(), scratch()];
  const elsewhere = await openTestLedger();
  try {
    // The two ledgers represent one ledger before and after a restore: they have the same id.
    await open.ledger.integrity.verify();
    const [{ ledger_id: id } = { ledger_id: "" }] = await query(
      open.url,
      "select ledger_id from epoch",
    );
    await elsewhere.ledger.integrity.verify();
    await query(elsewhere.url, `update epoch set ledger_id = '${String(id)}'`);
    const [header = "", ...rows] = fileText(rowsOf(4)).trim().split("\n");
    const textOf = (lines: readonly string[]) => [header, ...lines, ""].join("\n");
    const { batch: lost } = await ingestFile(withMemory(there), textOf(rows));

    const restored = withMemory(here, elsewhere);
    const { batch } = await ingestFile(restored, textOf(rows.toReversed().slice(0, 3)));
    expect(await approving(restored, batch)).toMatchObject({ ok: true });
    const worker = withMemory(there, elsewhere);
    await worker.integrity.verify();
    expect(await worker.payout.openAttempts(claimOf(batch.id))).toEqual([]);
    expect(await restored.intake.quarantineOf(batch.id)).toMatchObject([
      { cause: "lost_payouts", lostBatch: lost.id, rows: 3, decision: null },
    ]);
    expect(await findLostBatches(elsewhere.database, "unacknowledged")).toMatchObject([
      { batchId: lost.id, rows: 4, totals: { INR: "400.00" } },
    ]);
    const remembered = await createRestoreMemory(there, systemClock).records(String(id));
    expect([...remembered.keys()].toSorted()).toEqual([lost.id, batch.id].toSorted());
  } finally {
    await elsewhere.close();
  }
});

test("does not approve a batch whose restore memory could not be written", async () => {
  const folder = scratch();
  const memory = createRestoreMemory(folder, systemClock);
  const remember = async () => {
    throw new Error("ENOSPC: no space left on device");
  };
  const ledger = createLedger(open.database, open.sealer, systemClock, {
    restoreMemory: { ...memory, remember },
  });
  const { batch } = await ingestFile(ledger, fileText(rowsOf(1)));
  await expect(approving(ledger, batch)).rejects.toThrow(
    /record of uploaded files in PAYRUN_DATA.*outside the ledger.*no space left/,
  );
  expect(await ledger.payout.findBatch({ id: batch.id })).toMatchObject({
    state: "awaiting_approval",
  });
  expect(await approving(withMemory(folder), batch)).toMatchObject({ ok: true });
});

test("F26 detects an edit that an older copy of the ledger has lost, but not one that it contains", async () => {
  const folder = scratch();
  await open.ledger.integrity.verify();
  const { batch } = await ingestFile(withMemory(folder), fileText(rowsOf(2)));
  await query(open.url, "update batches set content_digest = 'edited'");
  expect(await withMemory(folder).integrity.verify()).toBeNull();

  const [{ ledger_id: id } = { ledger_id: "" }] = await query(
    open.url,
    "select ledger_id from epoch",
  );
  const memory = createRestoreMemory(folder, systemClock);
  const record = (await memory.records(String(id))).get(batch.id);
  if (!record) throw new Error("the batch is not remembered");
  const edited = { ...record, contentDigest: "f".repeat(64) };
  await memory.remember(String(id), edited, Buffer.alloc(16));
  expect(await withMemory(folder).integrity.verify()).toMatchObject({
    reason: expect.stringContaining("an older copy was restored"),
  });
});

test("F26 does not take a batch from which a row was left out for an older copy", async () => {
  const folder = scratch();
  await open.ledger.integrity.verify();
  const text = fileText([{}, {}, { amount: "12.50" }]).split("\n");
  const repeated = [text[0], text[1], text[1], ...text.slice(3)].join("\n");
  const { batch } = await ingestFile(withMemory(folder), repeated, "user:US1");
  const order = { batchId: batch.id, lines: [3], contentDigest: null, actor: "user:US1" };
  const left = await open.ledger.transaction((transaction) =>
    transaction.intake.leaveRowsOut({ ...order, at: new Date() }),
  );
  expect(left).toEqual({ kind: "left_out", rows: 1 });
  expect(await withMemory(folder).integrity.verify()).toBeNull();

  await query(open.url, "alter table audit disable trigger all");
  await query(open.url, "delete from audit where action = 'leave_out_rows'");
  expect(await withMemory(folder).integrity.verify()).toMatchObject({
    reason: expect.stringContaining("an older copy was restored"),
  });
});
