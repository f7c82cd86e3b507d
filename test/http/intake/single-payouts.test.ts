/** Single payouts: one draft batch per day, merchant account, currency and API key. */
import { createHash } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addPayout } from "#flows/intake/single-payout.ts";
import type { RowTexts } from "#intake/rows/row-list.ts";
import { verifyLedger } from "#ledger/integrity/audit-states.ts";
import { approveAt } from "../../support/dashboard/acknowledge.ts";
import { payoutRow as row, paySingle as pay } from "../../support/actions/single-payouts.ts";
import { type Caller, startTestServer, type TestServer } from "../../support/dashboard/server.ts";
import { eventually } from "../../support/servers/eventually.ts";

let server: TestServer;
let checker: Caller;
let maker: Caller;
beforeAll(async () => {
  server = await startTestServer();
  checker = await server.newUser(["approver"]);
  maker = await server.newUser(["uploader"]);
  const until = new Date(server.deps.clock.nowMs() + 600_000);
  await server.deps.database.updateTable("sessions").set({ stepped_up_until: until }).execute();
});
afterAll(() => server.close());

const newKey = () => server.newKey(["read", "upload"]);

test("collects the payouts of a key in a draft of the day", async () => {
  const key = await newKey();
  const first = await pay(key);
  expect(first.status).toBe(201);
  const day = new Date().toISOString().slice(0, 10);
  expect(first.json).toMatchObject({
    code: expect.stringMatching(/^PR/),
    batch: {
      file: "API key: read upload",
      name: `Single payouts in INR, ${day}`,
      source: "payouts",
      state: "draft",
      rows: 1,
    },
  });
  const second = await pay(key);
  expect(second.json.batch).toMatchObject({
    batch_id: first.json.batch.batch_id,
    rows: 2,
    totals: [{ currency: "INR", amount: "20.00", payouts: 2 }],
  });
  expect(second.json.batch.content_digest).not.toBe(first.json.batch.content_digest);
  const other = await pay(await newKey());
  expect(other.json.batch.batch_id).not.toBe(first.json.batch.batch_id);
  const { json } = await key.get(`/api/payouts/${second.json.code}`);
  expect(json).toMatchObject({ batch_id: first.json.batch.batch_id, line: 3 });
  const report = await key.get(`/api/batches/${first.json.batch.batch_id}/report`);
  expect(report.text.trim().split("\n")).toHaveLength(3);
});

test("opens the next batch once the draft was sent for approval, or on another day", async () => {
  const key = await newKey();
  const { json: first } = await pay(key);
  const path = `/api/batches/${first.batch.batch_id}`;
  expect((await key.post(`${path}/request-approval`, {})).status).toBe(200);
  const { json: second } = await pay(key);
  expect(second.batch).toMatchObject({ rows: 1 });
  expect(second.batch.batch_id).not.toBe(first.batch.batch_id);
  const { content_digest } = first.batch;
  const approval = { content_digest, totals: [{ currency: "INR", amount: "10.00" }] };
  expect((await approveAt(key, path, approval)).json.code).toBe("forbidden");
  expect((await approveAt(checker, path, approval)).json.state).toBe("approved");
  await sql`update batches set created_at = created_at - interval '1 day'
    where id = ${second.batch.batch_id}`.execute(server.deps.database);
  const { json: third } = await pay(key);
  expect(third.batch.batch_id).not.toBe(second.batch.batch_id);
  expect(third.batch).toMatchObject({ rows: 1 });
});

test("names one payout by each key, permanently and at the same moment", async () => {
  const key = await newKey();
  const body = row();
  const answers = await Promise.all([pay(key, body, "once"), pay(key, body, "once")]);
  const [made] = answers.filter(({ status }) => status === 201);
  expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true);
  // As after a crash before the answer was stored, or a day later.
  await server.deps.database.deleteFrom("idempotency").execute();
  const again = await pay(key, { ...body, reference: null }, "once");
  expect(again.json).toMatchObject({ code: made?.json.code, batch: { rows: 1 } });
  await server.deps.database.deleteFrom("idempotency").execute();
  const other = await pay(key, row(), "once");
  expect([other.status, other.json.code]).toEqual([422, "idempotency_key_reused"]);
  expect((await pay(await newKey(), body, "once")).json.batch.rows).toBe(1);
});

test("answers with the warnings about the row, also when the request is repeated", async () => {
  const key = await newKey();
  expect((await pay(key)).json.warnings).toEqual([]);
  const unknown = row({ currency_code: "MYR", ifsc_code: "", bank_code: "mbb" });
  const first = await pay(key, unknown, "warned");
  expect([first.status, first.json.warnings]).toMatchObject([
    201,
    [{ code: "bank_unknown", severity: "warning", column: "bank_code", found: "mbb" }],
  ]);
  await server.deps.database.deleteFrom("idempotency").execute();
  const again = await pay(key, unknown, "warned");
  expect(again.json).toMatchObject({ code: first.json.code, warnings: first.json.warnings });
});

test("recognises a request that is repeated with the rotated API key", async () => {
  const key = await server.newKey(["read", "upload"], maker);
  const body = row();
  const first = await pay(key, body, "rotated");
  let id = key.userId;
  const payWithRotated = async () => {
    const { json } = await maker.post(`/api/keys/${id}/rotate`, {});
    id = json.id;
    const headers = { authorization: `Bearer ${json.key}`, "idempotency-key": "rotated" };
    return key.post("/api/payouts", body, { headers });
  };
  const replayed = await payWithRotated();
  expect(replayed.headers["idempotency-replayed"]).toBe("true");
  await server.deps.database.deleteFrom("idempotency").execute();
  const again = await payWithRotated();
  expect([again.status, again.json.code]).toEqual([201, first.json.code]);
  expect(again.json.batch.rows).toBe(1);
});

/** Adds a payout, and does the work before the transaction is committed. */
function payBeforeCommit(
  { userId }: Caller,
  texts: RowTexts,
  name: string,
  work: (added: unknown) => Promise<void>,
) {
  const { ledger, rows, clock, deps } = server.deps;
  const slow: typeof ledger = {
    ...ledger,
    transaction: (steps) =>
      ledger.transaction(async (transaction) => {
        const added = await steps(transaction);
        await work(added);
        return added;
      }),
  };
  const actor = `key:${userId}`;
  const order = { texts, actor, owner: actor, key: name };
  const at = new Date(clock.nowMs());
  return addPayout(order, { ledger: slow, rows, canary: 0, keyring: deps.keyring, at });
}

test("gives a payout that a restored ledger has lost the same code again", async () => {
  const key = await newKey();
  const texts = row();
  let lost: unknown;
  const forgotten = payBeforeCommit(key, texts, "restored", async (added) => {
    lost = added;
    throw new Error("lost");
  });
  await expect(forgotten).rejects.toThrow("lost");
  await pay(key);
  const { json } = await pay(key, texts, "restored");
  expect(lost).toMatchObject({ kind: "stored", transactionCode: json.code });
});

test("derives the identity of a request from its values, whatever other columns exist", async () => {
  const key = await newKey();
  const body = row();
  await pay(key, { ...body, reference: "" }, "values");
  const { digest } = await server.deps.database
    .selectFrom("single_payouts")
    .select("digest")
    .where("key", "=", "values")
    .executeTakeFirstOrThrow();
  const values = Object.entries(body).toSorted(([one], [other]) => (one < other ? -1 : 1));
  const text = JSON.stringify(values.flat());
  expect(digest).toBe(createHash("sha256").update(text).digest("hex"));
});

test("names the payout of another request that took the same code at the same moment", async () => {
  const [one, other] = [await newKey(), await newKey()];
  const texts = row({ transaction_code: "raced-1" });
  let raced: ReturnType<typeof pay> | undefined;
  await payBeforeCommit(one, texts, "raced", async () => {
    raced = pay(other, texts);
    await eventually("the other request waits", async () => {
      const { rows } = await sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
        server.deps.database,
      );
      return rows.length > 0;
    });
  });
  const refused = await raced;
  expect(refused?.status).toBe(422);
  expect(refused?.json.problems).toMatchObject([{ code: "transaction_code_in_use" }]);
});

test("refuses an invalid payout with its problems, and a request without a key", async () => {
  const key = await newKey();
  const bad = await pay(key, row({ ifsc_code: "HDFCO000001", transaction_amount: "1,5" }));
  expect([bad.status, bad.json.code]).toEqual([422, "rows_invalid"]);
  expect(bad.json.detail).toMatch(/^The payout is invalid, so no row was stored\./);
  expect(bad.json.problems).toMatchObject([
    { row: null, pointer: "/transaction_amount" },
    { row: null, pointer: "/ifsc_code", code: "bad_ifsc" },
  ]);
  const bare = await key.post("/api/payouts", row());
  expect([bare.status, bare.json.places[0].place]).toEqual([400, "header.idempotency-key"]);
  const code = "own-1";
  expect((await pay(key, row({ transaction_code: code }))).json.code).toBe(code);
  const twice = await pay(key, row({ transaction_code: code }));
  expect(twice.json.problems).toMatchObject([
    { pointer: "/transaction_code", code: "transaction_code_in_use" },
  ]);
  expect((await key.get("/api/batches?state=draft")).json.items[0].rows).toBe(1);
});

test("warns about the same payment in the same batch, and keeps the order of lines", async () => {
  const key = await newKey();
  const body = row();
  const { json } = await pay(key, body);
  await pay(key, body);
  const path = `/api/batches/${json.batch.batch_id}`;
  const { json: page } = await key.get(`${path}/rows?severity=warning`);
  expect(page.items).toMatchObject([{ line: 3, problems: [{ code: "paid_lately" }] }]);
  // A person edits the row: the batch takes no further payouts.
  const repair = { rows: [{ line: 3, values: { transaction_amount: "11.00" } }] };
  expect((await key.post(`${path}/rows/correct`, repair)).json.batch.rows).toBe(2);
  const next = await pay(key);
  expect(next.json.batch.batch_id).not.toBe(json.batch.batch_id);
});

test("matches the audit log", async () => {
  expect(await verifyLedger(server.deps.database)).toMatchObject({ intact: true });
});
