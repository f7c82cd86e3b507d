/** Batches that their uploaders withdraw from approval. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { approve as approveAlone, totalsOf } from "#flows/approval/approve.ts";
import { approveAs } from "#flows/approval/record-approval.ts";
import { systemClock } from "#base/clock.ts";
import { approvalsOf } from "#ledger/approval/approvals.ts";
import { withdrawBatch } from "#ledger/approval/withdrawal.ts";
import { changeSinceUpload } from "#ledger/intake/change-since-upload.ts";
import { markSentForApproval } from "#ledger/intake/batch-description.ts";
import type { Batch } from "#ledger/ledger.ts";
import { createBatchNotices } from "#ledger/notification/notices.ts";
import { createWithdrawnNotice } from "#ledger/notification/withdrawal-notices.ts";
import { openTestLedger, ingestFile, type TestLedger } from "../../support/ledger.ts";
import { fileText, rowsOf } from "../../support/servers/payrun.ts";
import { query } from "../../support/servers/postgres.ts";

let open: TestLedger;
const people = { maker: "USmaker", other: "USother", one: "USone", two: "UStwo" };
beforeAll(async () => {
  open = await openTestLedger();
  const roles = { maker: "uploader", other: "uploader", one: "approver", two: "approver" };
  for (const [name, id] of Object.entries(people)) {
    await query(
      open.url,
      "insert into users (id, email, name, roles) values ($1, $1, $1, array[$2])",
      [id, roles[name as keyof typeof roles]],
    );
  }
});
afterAll(() => open.close());

const REASON = "two rows are missing";

async function waiting(needed = 3, maker = `user:${people.maker}`): Promise<Batch> {
  const { batch } = await ingestFile(open.ledger, fileText(rowsOf(2)), maker);
  await query(open.url, "update batches set people_needed = $2 where id = $1", [batch.id, needed]);
  if (maker.startsWith("user:")) await send(batch.id, maker);
  return batch;
}
const send = (batchId: string, actor: string) =>
  open.database.transaction().execute((transaction) => {
    const order = { batchId, leaveOut: false, compared: [], actor, at: new Date() };
    return markSentForApproval(transaction, order);
  });
const approve = ({ id: batchId, contentDigest, ...batch }: Batch, userId: string) =>
  approveAs(
    { batchId, userId, contentDigest, totals: totalsOf({ id: batchId, contentDigest, ...batch }) },
    { ...open, clock: systemClock },
  );
const withdraw = ({ id: batchId }: Pick<Batch, "id">, actor = `user:${people.maker}`) =>
  open.database
    .transaction()
    .execute((transaction) =>
      withdrawBatch(transaction, { batchId, actor, reason: REASON, at: new Date() }),
    );
const stateOf = async ({ id }: Batch) => (await open.ledger.payout.findBatch({ id }))?.state;

test("makes the batch a draft and voids approvals, also after it is sent for approval again", async () => {
  const batch = await waiting();
  expect(await approve(batch, people.one)).toMatchObject({ ok: true, value: { missing: 1 } });
  expect(await withdraw(batch)).toMatchObject({ ok: true });
  expect(await open.ledger.payout.findBatch({ id: batch.id })).toMatchObject({
    state: "draft",
    reason: null,
  });
  expect(await changeSinceUpload(open.database, batch.id)).toBe("withdrawn");
  const early = await approve(batch, people.two);
  expect(early).toMatchObject({ ok: false, error: { kind: "wrong_state" } });

  expect(await send(batch.id, `user:${people.maker}`)).toBe(true);
  expect(await changeSinceUpload(open.database, batch.id)).toBeNull();
  const [given] = await approvalsOf(open.database, batch.id);
  const withdrawnWhy = "the batch was withdrawn from approval";
  expect(given).toMatchObject({ userId: people.one, live: false, withdrawnWhy });
  expect(await approve(batch, people.two)).toMatchObject({ ok: true, value: { missing: 1 } });
  expect(await approve(batch, people.one)).toMatchObject({ ok: true, value: { missing: 0 } });
  expect(await stateOf(batch)).toBe("approved");
  const [line] = await query(
    open.url,
    "select actor, facts from audit where object = $1 and action = 'withdraw'",
    [batch.id],
  );
  expect(line?.["actor"]).toBe(`user:${people.maker}`);
  expect(JSON.parse(String(line?.["facts"]))).toMatchObject({
    state: "draft",
    reason: REASON,
    content_digest: batch.contentDigest,
    totals: Object.fromEntries(batch.lanes.map(({ lane, total }) => [lane, `${total.minor}`])),
    void_approvals: [people.one],
  });
});

test("is refused to others, and for batches that have no draft or do not wait", async () => {
  const batch = await waiting();
  for (const other of [people.other, people.one]) {
    expect(await withdraw(batch, `user:${other}`)).toEqual({ ok: false, error: "not_uploader" });
  }
  expect(await withdraw({ id: "BNONE" })).toEqual({ ok: false, error: "not_found" });
  const local = await waiting(3, "cli:root");
  expect(await withdraw(local, "cli:root")).toEqual({ ok: false, error: "no_draft" });
  expect(await withdraw(batch)).toMatchObject({ ok: true });
  expect(await withdraw(batch)).toEqual({ ok: false, error: "not_waiting" });
});

test("is allowed to people who edited the batch, and to the API key that uploaded it", async () => {
  const edited = await waiting();
  await query(open.url, "insert into batch_editors (batch_id, actor) values ($1, $2)", [
    edited.id,
    `user:${people.other}`,
  ]);
  expect(await withdraw(edited, `user:${people.other}`)).toMatchObject({ ok: true });
  const { batch } = await ingestFile(open.ledger, fileText(rowsOf(2)), "key:AK1");
  await send(batch.id, "key:AK1");
  expect(await withdraw(batch, "key:AK1")).toMatchObject({ ok: true });
});

test("I7 never leaves a draft with an approval that counts if an approval is recorded simultaneously", async () => {
  const outcomes = new Set<string>();
  for (let round = 0; round < 12; round += 1) {
    const batch = await waiting(round % 2 === 0 ? 2 : 3);
    const deeds = [() => approve(batch, people.one), () => withdraw(batch)];
    const [first, second] = round % 4 < 2 ? deeds : deeds.toReversed();
    await Promise.all([first?.(), second?.()]);
    const state = await stateOf(batch);
    const live = (await approvalsOf(open.database, batch.id)).filter((given) => given.live);
    expect([state, live.length]).toEqual(state === "approved" ? ["approved", 1] : ["draft", 0]);
    const [payout] = await query(
      open.url,
      "select distinct state from payouts where batch_id = $1",
      [batch.id],
    );
    expect(payout?.["state"]).toBe(state === "approved" ? "approved" : "awaiting_approval");
    outcomes.add(`${state}`);
  }
  expect([...outcomes]).toContain("draft");
});

test("is not approved by an operator who saw it before it was withdrawn", async () => {
  const batch = await waiting(1);
  const approval = {
    actor: "cli:root",
    contentDigest: batch.contentDigest,
    totals: totalsOf(batch),
  };
  expect(await withdraw(batch)).toMatchObject({ ok: true });
  const { ledger } = open;
  const late = await approveAlone(batch.id, approval, { ledger, seen: "awaiting_approval" });
  expect(late).toEqual({ ok: false, error: { kind: "wrong_state", state: "draft" } });
  expect(await stateOf(batch)).toBe("draft");
});

const notified = async ({ id }: Batch, event: string) => {
  const entries = await query(
    open.url,
    `select i.user_id, n.facts from inbox i join notices n on n.id = i.notice_id
     where n.event = $1 and n.object = $2 order by n.at, 1`,
    [event, id],
  );
  return entries.map(({ user_id: userId, facts }) => ({ id: userId, facts }));
};

test("notifies the approvers, but no uploader", async () => {
  const batch = await waiting();
  const order = { batchId: batch.id, reason: REASON, at: new Date() };
  await createWithdrawnNotice(open.database, order, { canMail: false });
  const told = await notified(batch, "batch_withdrawn");
  expect(told.map(({ id }) => id)).toEqual([people.one, people.two]);
  expect(told[0]?.["facts"]).toMatchObject({ file: batch.fileName, reason: REASON });
});

test("notifies those who may approve a batch once for each request, but no author of the batch", async () => {
  const batch = await waiting();
  const edited = await waiting();
  await query(open.url, "insert into batch_editors (batch_id, actor) values ($1, $2)", [
    edited.id,
    `user:${people.one}`,
  ]);
  const who = async (one: Batch) => {
    await createBatchNotices(open.database, { canMail: false });
    return (await notified(one, "batch_awaiting_approval")).map(({ id }) => id);
  };
  expect(await who(batch)).toEqual([people.one, people.two]);
  expect(await who(batch)).toEqual([people.one, people.two]);
  expect(await who(edited)).toEqual([people.two]);
  await withdraw(batch);
  await send(batch.id, `user:${people.maker}`);
  expect(await approve(batch, people.one)).toMatchObject({ ok: true });
  expect(await who(batch)).toEqual([people.one, people.two, people.two]);
});
