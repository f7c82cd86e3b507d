/** Drafts of single payouts: which take further payouts, and how payouts wait for each other. */
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { payoutRow, paySingle } from "../../support/actions/single-payouts.ts";
import { type Caller, startTestServer, type TestServer } from "../../support/dashboard/server.ts";
import { eventually } from "../../support/servers/eventually.ts";

let server: TestServer;
let maker: Caller;
let key: Caller;
beforeAll(async () => {
  server = await startTestServer();
  maker = await server.newUser(["uploader"]);
  key = await server.newKey(["read", "upload"], maker);
});
afterAll(() => server.close());

const pay = async (body?: object) => (await paySingle(key, body)).json.batch;
const path = (batch: { readonly batch_id: string }) => `/api/batches/${batch.batch_id}`;

test("opens the next batch after a draft was withdrawn from approval", async () => {
  const first = await pay();
  expect((await key.post(`${path(first)}/request-approval`, {})).status).toBe(200);
  expect((await maker.post(`${path(first)}/withdraw`, { reason: "too early" })).status).toBe(204);
  expect((await key.get(path(first))).json.state).toBe("draft");
  const next = await pay();
  expect([next.batch_id === first.batch_id, next.rows]).toEqual([false, 1]);
  expect((await pay()).rows).toBe(2);
});

test("F26 opens the next batch after a draft came into quarantine", async () => {
  const { ledger, database } = server.deps;
  const open = await pay();
  await ledger.integrity.freeze({ reason: "manually: a test", actor: "test" });
  try {
    const arrived = await pay();
    expect(arrived.batch_id).toBe(open.batch_id);
    expect((await pay()).batch_id).not.toBe(arrived.batch_id);
  } finally {
    await sql`update epoch set frozen_at = null, reason = null`.execute(database);
  }
  const quarantined = await sql`select from quarantine`.execute(database);
  const free = await pay();
  expect([quarantined.rows.length, free.rows]).toEqual([2, 1]);
  expect((await pay()).batch_id).toBe(free.batch_id);
});

test("refuses orders for a draft that has got further payouts since the person saw it", async () => {
  const seen = await pay();
  const now = await pay();
  expect(now.batch_id).toBe(seen.batch_id);
  const operator = server.as("operator");
  const orders = [
    [key, `${path(seen)}/request-approval`, {}],
    [operator, `${path(seen)}/cancel`, { reason: "a test" }],
  ] as const;
  for (const [by, order, body] of orders) {
    const refused = await by.post(order, { ...body, content_digest: seen.content_digest });
    expect([refused.status, refused.json.code]).toEqual([409, "content_changed"]);
  }
  expect((await key.get(path(seen))).json).toMatchObject({ state: "draft", payouts: now.rows });
  const { content_digest } = now;
  const sent = await key.post(`${path(seen)}/request-approval`, { content_digest });
  expect(sent.status).toBe(200);
  const cancelled = await operator.post(`${path(seen)}/cancel`, {
    reason: "a test",
    content_digest,
  });
  expect(cancelled.json).toEqual({ cancelled: now.rows, state: "cancelled" });
});

/** Number of sessions that wait for a lock of this database. */
const waiting = async () =>
  (
    await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
      server.deps.database,
    )
  ).rows.length;

test("opens the next batch if a person edits the draft at the same moment", async () => {
  const body = payoutRow();
  const first = await pay(body);
  expect((await pay(body)).batch_id).toBe(first.batch_id);
  const repair = { rows: [{ line: first.rows + 2, values: { transaction_amount: "11.00" } }] };
  const [edited, paid] = await server.deps.database
    .transaction()
    .execute(async (transaction) => {
      await sql`select from batches where id = ${first.batch_id} for update`.execute(transaction);
      const edit = maker.post(`${path(first)}/rows/correct`, repair);
      await eventually("the edit waits", async () => (await waiting()) === 1);
      const payment = paySingle(key);
      await eventually("the payout waits", async () => (await waiting()) === 2);
      return [edit, payment] as const;
    })
    .then((both) => Promise.all(both));
  expect([edited.status, paid.status]).toEqual([200, 201]);
  expect(paid.json.batch).toMatchObject({ rows: 1 });
  expect((await key.get(`/api/payouts/${paid.json.code}`)).json).toMatchObject({ line: 2 });
});

test("lets the payouts of a key wait without a connection to the database each", async () => {
  const { database } = server.deps;
  const queue = `payrun single payouts key:${key.userId}`;
  const begun = database.selectFrom("idempotency").select("key").where("status", "is", null);
  const paid = await database.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(hashtext(${queue}))`.execute(transaction);
    const payments = [paySingle(key), paySingle(key), paySingle(key)];
    await eventually("the payouts wait", async () => (await begun.execute()).length === 3);
    await sleep(300);
    expect(await waiting()).toBe(1);
    return payments;
  });
  const answers = await Promise.all(paid);
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
});
