/** Batches from JSON rows: validated, stored and bound by digest as the rows of a file. */
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { approveAt } from "../../support/dashboard/acknowledge.ts";
import { type Caller, startTestServer, type TestServer } from "../../support/dashboard/server.ts";

let server: TestServer;
let key: Caller;
let checker: Caller;
beforeAll(async () => {
  server = await startTestServer();
  key = await server.newKey(["read", "upload"]);
  checker = await server.newUser(["approver"]);
  const until = new Date(server.deps.clock.nowMs() + 600_000);
  await server.deps.database.updateTable("sessions").set({ stepped_up_until: until }).execute();
});
afterAll(() => server.close());

let rows = 0;
const row = (change: object = {}) => ({
  user_id: `U-${++rows}`,
  currency_code: "INR",
  transaction_amount: "100.00",
  account_name: "Asha Rao",
  bank_account_number: `50100${String(rows).padStart(9, "0")}`,
  ifsc_code: "HDFC0000001",
  bank_code: "HDFC",
  bank_name: "HDFC Bank",
  reference: "r",
  ...change,
});
const send = (body: object, headers = {}) => key.post("/api/batches", body, { headers });
const countBatches = async () => {
  const { database } = server.deps;
  const batches = await database.selectFrom("batches").select("id").execute();
  return batches.length;
};

test("stores rows as a draft of the key, with the options of an upload", async () => {
  const body = {
    rows: [row(), row({ transaction_amount: "0.50", reference: null })],
    name: "Salaries",
    purpose: "November",
    expect_rows: 2,
    expect_sum: ["INR=100.50"],
    priority: "low",
  };
  const { status, json } = await send(body);
  expect([status, json.is_new]).toEqual([201, true]);
  expect(json.batch).toMatchObject({
    file: "API key: read upload",
    source: "rows",
    name: "Salaries",
    purpose: "November",
    state: "draft",
    rows: 2,
    totals: [{ currency: "INR", amount: "100.50", payouts: 2 }],
    maker: { name: "API key: read upload" },
  });
  const found = await key.get(`/api/batches/${json.batch.batch_id}/findings`);
  expect(found.json.file.amounts_confirmed).toBe(false);
  const other = { ...body, rows: [row(), row()], expect_rows: 3 };
  const { json: differing } = await send(other);
  const id = differing.batch.batch_id;
  const asked = await key.post(`/api/batches/${id}/request-approval`, {});
  expect([asked.status, asked.json.code]).toEqual([422, "not_ready"]);
});

test("lists every problem with row, pointer and rule, and stores no row", async () => {
  const before = await countBatches();
  const body = {
    rows: [
      row(),
      row({ transaction_amount: "12.555", ifsc_code: "HDFCO000001" }),
      { user_id: "x" },
    ],
  };
  const { status, json } = await send(body);
  expect([status, json.code]).toEqual([422, "rows_invalid"]);
  expect(json.detail).toContain("2 rows are invalid, so no row was stored.");
  expect(json.problems).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        row: 1,
        pointer: "/rows/1/transaction_amount",
        code: "amount_too_many_decimals",
        column: "transaction_amount",
        found: "12.555",
        severity: "error",
        expected: expect.any(String),
        correction: expect.any(String),
      }),
      expect.objectContaining({ row: 1, pointer: "/rows/1/ifsc_code", code: "bad_ifsc" }),
      expect.objectContaining({ row: 2, pointer: "/rows/2/account_name", code: "value_missing" }),
      expect.objectContaining({ row: 2, pointer: "/rows/2/currency_code" }),
    ]),
  );
  expect(await countBatches()).toBe(before);
});

test("keeps invalid rows for a person to correct if the caller says so", async () => {
  const body = { rows: [row(), row({ ifsc_code: "HDFCO000001" })], invalid_rows: "keep" };
  const { status, json } = await send(body);
  expect([status, json.batch.state, json.batch.rejected]).toEqual([201, "needs_correction", 1]);
  const path = `/api/batches/${json.batch.batch_id}`;
  const repair = { rows: [{ line: 3, values: { ifsc_code: "HDFC0000001" } }] };
  const corrected = await server.as("uploader").post(`${path}/rows/correct`, repair);
  expect([corrected.status, corrected.json.code]).toEqual([403, "forbidden"]);
  const own = await key.post(`${path}/rows/correct`, repair);
  expect(own.json).toMatchObject({ batch: { state: "draft", rejected: 0 }, corrected: 1 });
});

test("refuses other types, unknown members, more than 10,000 rows, and file options", async () => {
  const places = async (body: object, query = "") =>
    (await key.post(`/api/batches${query}`, body)).json.places;
  expect(await places({ rows: [row({ transaction_amount: 100 })] })).toEqual([
    { place: "body.rows.0.transaction_amount", message: "must be text" },
  ]);
  expect(await places({ rows: [row({ acount: "1" })] })).toEqual([
    { place: "body.rows.0", message: "unknown name: acount" },
  ]);
  const many = Array.from({ length: 10_001 }, () => ({}));
  expect(await places({ rows: many })).toEqual([
    { place: "body.rows", message: "must have at most 10000 entries" },
  ]);
  expect(await places({ rows: [] })).toHaveLength(1);
  expect(await places({ rows: [row()] }, "?file_name=a.csv")).toEqual([
    { place: "query", message: "unknown name: file_name" },
  ]);
  const large = await send({ rows: [], name: "x".repeat(8 * 1024 * 1024) });
  expect([large.status, large.json.code]).toEqual([413, "too_large"]);
  expect(large.json.detail).toContain("8388608 bytes");
});

test("returns the batch of the same rows, whatever the order of members and the key", async () => {
  const one = row();
  const first = await send({ rows: [one, row({ user_id: "U" })] });
  const shuffled = Object.fromEntries(Object.entries(one).toReversed());
  const again = await send({ rows: [shuffled, row({ user_id: "U" })] });
  expect(again.json.batch.batch_id).not.toBe(first.json.batch.batch_id);
  const rowsOfDay = [one, row()];
  const { json } = await send({ rows: rowsOfDay }, { "idempotency-key": "a" });
  const repeated = await send({ rows: [shuffled, rowsOfDay[1]] }, { "idempotency-key": "b" });
  expect(repeated.json).toMatchObject({ is_new: false, batch: { batch_id: json.batch.batch_id } });
});

test("answers a repeated Idempotency-Key once, and refuses it for other rows", async () => {
  const headers = { "idempotency-key": "payroll" };
  const body = { rows: [row()] };
  const first = await send(body, headers);
  const again = await send(body, headers);
  expect(again.headers["idempotency-replayed"]).toBe("true");
  expect(again.json).toEqual(first.json);
  expect((await send({ rows: [row()] }, headers)).json.code).toBe("idempotency_key_reused");
});

test("returns the stored batch after a crash between storing and answering", async () => {
  const headers = { "idempotency-key": "crash" };
  const body = { rows: [row()] };
  const { ledger } = server.deps;
  const store = ledger.intake.createBatch.bind(ledger.intake);
  let stored = "";
  vi.spyOn(ledger.intake, "createBatch").mockImplementationOnce(async (...batch) => {
    stored = (await store(...batch)).id;
    throw new Error("killed");
  });
  expect((await send(body, headers)).status).toBe(500);
  const { status, json } = await send(body, headers);
  expect([status, json.batch.batch_id, json.is_new]).toEqual([201, stored, false]);
});

test("binds the approval to the rows, and the key or its creator cannot give it", async () => {
  const maker = await server.newUser(["uploader", "approver"]);
  const until = new Date(server.deps.clock.nowMs() + 600_000);
  await server.deps.database.updateTable("sessions").set({ stepped_up_until: until }).execute();
  const program = await server.newKey(["read", "upload"], maker);
  const made = await program.post("/api/batches", { rows: [row()] });
  const { batch_id: id, content_digest } = made.json.batch;
  const path = `/api/batches/${id}`;
  expect((await program.post(`${path}/request-approval`, {})).status).toBe(200);
  const approval = { content_digest, totals: [{ currency: "INR", amount: "100.00" }] };
  expect((await approveAt(program, path, approval)).json.code).toBe("forbidden");
  expect((await approveAt(maker, path, approval)).json.code).toBe("own_batch");
  const other = { ...approval, content_digest: "0".repeat(64) };
  expect((await approveAt(checker, path, other)).json.code).toBe("content_changed");
  expect((await approveAt(checker, path, approval)).json.state).toBe("approved");
  const report = await program.get(`${path}/report?format=jsonl`);
  expect(JSON.parse(report.text)).toMatchObject({ line: 2, account_name: "Asha Rao" });
});
