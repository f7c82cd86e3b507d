/** The advice on the page of a declined payout whose row another payout pays, or cannot be paid. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { startTestServer, type TestServer } from "../../support/dashboard/server.ts";
import { approvedBatch } from "../../support/ledger.ts";
import { rowsOf } from "../../support/servers/payrun.ts";
import { force, query } from "../../support/servers/postgres.ts";

let server: TestServer;
let batchId: string;
let turn = 1_000_000;
beforeAll(async () => {
  server = await startTestServer({}, ["viewer", "uploader", "operator"]);
});
afterAll(() => server.close());
beforeEach(async () => {
  turn += 1;
  const rows = rowsOf(2, () => ({ account: `5010000${turn}77`, amount: `${turn}.00` }));
  ({ id: batchId } = await approvedBatch(server.deps.ledger, rows));
  await decline(batchId);
});

const decline = (id: string, reason = "failed_at_gateway") =>
  force(
    server.deps.databaseUrl,
    "update payouts set state = 'declined', reason = $2 where batch_id = $1",
    [id, reason],
  );
const codeOf = async (id: string, line = 2): Promise<string> => {
  const [row] = await query<{ code: string }>(
    server.deps.databaseUrl,
    `select transaction_code as code from payout_details d join payouts p on p.id = d.payout_id
     where batch_id = '${id}' order by p.line offset ${line - 2} limit 1`,
  );
  return row?.code ?? "";
};
const retry = async (id: string): Promise<string> =>
  (
    await server
      .as("uploader")
      .post(`/api/batches/${id}/retry-batch`, { lines: [2], reason: "the account was confirmed" })
  ).json.batch_id;
/** The retry that the list of payouts links for the first row of a batch. */
const listedRetry = async (id: string): Promise<string | undefined> => {
  const { json } = await server.as("viewer").get(`/api/payouts?batch=${id}&line=2`);
  return json.items[0]?.retried_by?.code;
};
/** The page of a payout is at most as old as its last rendering: this waits for a new one. */
const eventually = (code: string) => expect.poll(() => adviceOf(code), { timeout: 10_000 });
const adviceOf = async (code: string) => {
  const { json } = await server.as("viewer").get(`/api/payouts/${code}`);
  const replace = json.actions.find(({ action }: { action: string }) => action === "replace");
  return { retry: json.retry, next: json.outlook.next, replace: replace.why };
};

test("names the payout that retries a declined payout, and never advises to upload it again", async () => {
  const code = await codeOf(batchId);
  expect(await adviceOf(code)).toMatchObject({
    retry: { may: true, by: null },
    next: expect.stringMatching(/retry the payout from its batch or upload the corrected row/),
  });

  const first = await retry(batchId);
  const again = await codeOf(first);
  const text = `Batch ${first} retries it as ${again} (not sent for approval yet). Do not upload it in a new file.`;
  await eventually(code).toEqual({
    retry: { may: false, by: { code: again, batch_id: first, state: "awaiting_approval" } },
    next: text,
    replace: text,
  });
  expect(await adviceOf(await codeOf(batchId, 3))).toMatchObject({ retry: { may: true } });
  // The rows are read like those of the file, but nobody has uploaded a file.
  const findings = await server.as("viewer").get(`/api/batches/${first}/findings`);
  expect(findings.json.file).toMatchObject({ amounts: "plain", amounts_confirmed: false });
  const listed = await server.as("viewer").get(`/api/payouts?batch=${batchId}&sort=oldest`);
  expect(listed.json.items).toMatchObject([
    { code, retried_by: { code: again, state: "awaiting_approval", batch_state: "draft" } },
    { state: "declined", retried_by: null },
  ]);
});

test("names the retry that has paid a declined payout, and the unpaid rest of the batch", async () => {
  const code = await codeOf(batchId);
  const first = await retry(batchId);
  await force(
    server.deps.databaseUrl,
    "update payouts set state = 'settled', settled_at = now() where batch_id = $1",
    [first],
  );
  const again = await codeOf(first);
  await eventually(code).toMatchObject({ next: expect.stringMatching(`has paid it as ${again}`) });
  const { json } = await server.as("viewer").get(`/api/payouts/${code}`);
  expect(json.chain).toMatchObject([
    { code, paid_at: null },
    { code: again, paid_at: expect.any(String) },
  ]);
  const retried = {
    declined: 2,
    paid_by_retry: 1,
    unpaid: { count: 1, sums: [{ currency: "INR", amount: `${turn}.00` }] },
  };
  const list = await server.as("viewer").get(`/api/batches?text=${batchId}`);
  expect(list.json.items).toMatchObject([{ batch_id: batchId, retried }]);
  const page = await server.as("viewer").get(`/api/batches/${batchId}/retry-batch`);
  expect(page.json).toMatchObject({ retried });

  const amount = `amount=${turn}.00`;
  const sums = await server.as("viewer").get(`/api/payout-summary?${amount}`);
  expect(sums.json).toMatchObject({ count: 3, retried: 1 });
  const rows = await server.as("viewer").get(`/api/payouts?${amount}&state=declined`);
  const cause = "The gateway accepted the payout and later reported it as failed.";
  expect(rows.json.items).toMatchObject([{ cause }, { cause }]);
});

test("still names a retry after a retry of that retry was cancelled", async () => {
  const code = await codeOf(batchId);
  const first = await retry(batchId);
  await decline(first);
  await eventually(code).toMatchObject({
    next: `Batch ${first} retried it as ${await codeOf(first)}, which was declined as well. Nothing will happen automatically. An uploader can go to payout ${await codeOf(first)}, correct its details and retry it from batch ${first}.`,
  });
  const second = await retry(first);
  await eventually(code).toMatchObject({ retry: { by: { batch_id: second } } });
  expect(await listedRetry(batchId)).toBe(await codeOf(second));

  const cancelled = await server
    .as("operator")
    .post(`/api/batches/${second}/cancel`, { reason: "not needed" });
  expect(cancelled.status).toBe(200);
  const again = await codeOf(first);
  expect(await listedRetry(batchId)).toBe(again);
  await eventually(code).toMatchObject({
    next: `Batch ${first} retried it as ${again}, which was declined as well. Nothing will happen automatically. It is already in two retry batches, including cancelled ones. To pay the beneficiary, upload the corrected row in a new file.`,
  });
  expect(await adviceOf(again)).toMatchObject({
    retry: { may: false, by: null },
    next: expect.stringMatching(/^It is already in two retry batches/),
  });
  expect((await adviceOf(await codeOf(second))).retry).toBeNull();
});

test("a cancelled retry names the batch that retries the row instead", async () => {
  const first = await retry(batchId);
  await server.as("operator").post(`/api/batches/${first}/cancel`, { reason: "a mistake" });
  const second = await retry(batchId);
  const advice = await adviceOf(await codeOf(first));
  expect(advice.retry).toMatchObject({ by: { batch_id: second } });
  expect(advice.replace).toMatch(/Do not upload it in a new file/);
});

test("does not advise to upload a payout again while payrun checks whether it was paid", async () => {
  await force(
    server.deps.databaseUrl,
    "update payouts set double_payment_check_at = now() where batch_id = $1",
    [batchId],
  );
  const advice = await adviceOf(await codeOf(batchId));
  expect(advice.retry).toEqual({ may: false, by: null });
  expect(advice.next).toMatch(/Do not upload it in a new file/);
});

test("declined rows have the columns of their currency and their bank, and are found by line", async () => {
  await decline(batchId, "refused: bank not found");
  const rows = async (search: string) =>
    (await server.as("uploader").get(`/api/batches/${batchId}/declined-rows?${search}`)).json.items;
  expect((await rows("")).map(({ line }: { line: number }) => line)).toEqual([2, 3]);
  const [row, ...others] = await rows("line=3");
  expect(row.line).toBe(3);
  expect(others).toEqual([]);
  const columns = row.cells.map(({ column }: { column: string }) => column);
  expect(columns).toContain("ifsc_code");
  expect(columns).toContain("bank_account_number");
  // Neither INR nor the file has it.
  expect(columns).not.toContain("address");
});
