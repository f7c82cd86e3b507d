/** An ERP pays through the typed client: rows, single payouts, and a connection that breaks. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { systemClock } from "#base/clock.ts";
import { totalsOf } from "#flows/approval/approve.ts";
import { approveAs } from "#flows/approval/record-approval.ts";
import { PayrunClient, PayrunError } from "../../client/client.ts";
import { signedIn, workingKey } from "../support/dashboard/server.ts";
import { type Setup, startSetup } from "../support/journey.ts";
import { openTestLedger, type TestLedger } from "../support/ledger.ts";
import { eventually } from "../support/servers/eventually.ts";
import { type Running, startPayrun } from "../support/servers/payrun.ts";

let setup: Setup;
let ledger: TestLedger;
let server: Running;
let approverId: string;
let erp: PayrunClient;
/** Number of the next answers that the connection loses. */
let cuts = 0;
let requests = 0;

const overBadLine: typeof fetch = async (...request) => {
  requests += 1;
  const answer = await fetch(...request);
  if (cuts === 0) return answer;
  cuts -= 1;
  throw new TypeError("fetch failed");
};

beforeAll(async () => {
  setup = await startSetup("postgres");
  server = startPayrun(["serve"], { ...setup.env, PORT: "0" });
  const [, url = ""] = await server.says(/listening at (http:[^\s,;]+)/);
  ledger = await openTestLedger(setup.env["DATABASE_URL"]);
  const world = { database: ledger.database, clock: systemClock };
  const { token } = await workingKey(world, ["read", "upload"]);
  approverId = (await signedIn(world, ["approver"])).userId;
  erp = new PayrunClient({ server: url, key: token.reveal(), pauseMs: 10, fetch: overBadLine });
});
afterAll(async () => {
  await server.end("SIGTERM");
  await ledger.close();
  await setup.stop();
});

let accounts = 0;
const invoice = (amount: string) => ({
  user_id: `SUPPLIER-${++accounts}`,
  currency_code: "INR",
  transaction_amount: amount,
  account_name: "Asha Rao",
  bank_account_number: String(80_100_000_000_000 + accounts),
  ifsc_code: "HDFC0000001",
  bank_code: "HDFC",
  bank_name: "HDFC Bank",
  reference: `INV-${accounts}`,
});

/** Approves a batch as a person does on the dashboard. */
async function approve(batchId: string): Promise<void> {
  const batch = await ledger.ledger.payout.findBatch({ id: batchId });
  if (!batch) throw new Error(`no batch ${batchId}`);
  const { contentDigest } = batch;
  const approval = { batchId, userId: approverId, contentDigest, totals: totalsOf(batch) };
  const done = await approveAs(approval, { ...ledger, clock: systemClock });
  if (!done.ok) throw new Error(JSON.stringify(done.error));
}

const sendAndFinish = async (id: string) => {
  const path = { id };
  await erp.call("POST /api/batches/{id}/request-approval", { path, body: {} });
  await approve(id);
  return eventually("the batch has finished", async () => {
    const batch = await erp.call("GET /api/batches/{id}", { path });
    return batch.state.startsWith("finished") && batch;
  });
};

test("an ERP pays rows once, although the connection breaks", async () => {
  const rows = [invoice("1200.50"), invoice("99.50")];
  cuts = 2;
  requests = 0;
  const { batch } = await erp.call("POST /api/batches", {
    body: { rows, name: "Invoices", expect_sum: ["INR=1300.00"] },
    idempotencyKey: "invoices-1",
  });
  expect([requests, batch.state, batch.rows]).toEqual([3, "draft", 2]);
  const finished = await sendAndFinish(batch.batch_id);
  expect(finished.state).toBe("finished");
  const { items } = await erp.call("GET /api/payouts", { query: { batch: batch.batch_id } });
  const results = items.map(({ state, reference }) => `${reference} ${state}`);
  expect(results.toSorted()).toEqual(["INV-1 settled", "INV-2 settled"]);
  const report = await erp.call("GET /api/batches/{id}/report", {
    path: { id: batch.batch_id },
    query: { format: "csv" },
  });
  expect(await report.text()).toContain("INV-2");
});

test("an ERP pays single payouts of the day, each once", async () => {
  const body = invoice("10.00");
  cuts = 1;
  const first = await erp.call("POST /api/payouts", { body, idempotencyKey: "single-1" });
  const again = await erp.call("POST /api/payouts", { body, idempotencyKey: "single-1" });
  expect(again.code).toBe(first.code);
  const second = await erp.call("POST /api/payouts", {
    body: invoice("20.00"),
    idempotencyKey: "single-2",
  });
  expect(second.batch).toMatchObject({ batch_id: first.batch.batch_id, rows: 2 });
  await sendAndFinish(first.batch.batch_id);
  const { state, settled_at } = await erp.call("GET /api/payouts/{code}", {
    path: { code: second.code },
  });
  expect([state, settled_at]).toEqual(["settled", expect.any(String)]);
});

test("an ERP learns the results from the events", async () => {
  const { batch } = await erp.call("POST /api/batches", {
    body: { rows: [invoice("31.00"), invoice("32.00")] },
    idempotencyKey: "invoices-2",
  });
  await sendAndFinish(batch.batch_id);
  const types: string[] = [];
  let after: string | undefined;
  await eventually("the events of the batch", async () => {
    const query = { limit: 3, ...(after === undefined ? {} : { after }) };
    const { items } = await erp.call("GET /api/events", { query });
    after = items.at(-1)?.id ?? after;
    const own = items.filter(({ data }) => data.batch_id === batch.batch_id);
    types.push(...own.map(({ type }) => type));
    return types.includes("batch_finished");
  });
  const all = ["batch_approved", "batch_finished", "payout_settled", "payout_settled"];
  expect(types.toSorted()).toEqual(all);
});

test("an ERP learns every problem of its rows", async () => {
  const rows = [invoice("1.005"), { ...invoice("1.00"), ifsc_code: "X" }];
  const call = erp.call("POST /api/batches", { body: { rows }, idempotencyKey: "bad" });
  const refusal: unknown = await call.catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(PayrunError);
  expect(refusal).toMatchObject({ status: 422, code: "rows_invalid" });
  expect((refusal as PayrunError).problem["problems"]).toMatchObject([
    { row: 0, pointer: "/rows/0/transaction_amount" },
    { row: 1, pointer: "/rows/1/ifsc_code" },
  ]);
});
