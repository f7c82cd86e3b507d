/** Rows whose person an unfinished retry batch also pays. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Caller, startTestServer, type TestServer } from "../../support/dashboard/server.ts";
import { approvedBatch, declineAll } from "../../support/ledger.ts";
import { force } from "../../support/servers/postgres.ts";

let server: TestServer;
let mia: Caller;
let chen: Caller;
let retryId: string;
beforeAll(async () => {
  server = await startTestServer({}, []);
  mia = await server.newUser(["uploader"], "Mia Okafor");
  chen = await server.newUser(["approver"], "Chen Wei");
  // Its rows have the user IDs U-0 and U-1.
  const batch = await approvedBatch(server.deps.ledger, [
    { name: "Asha Rao", amount: "100.00", account: "50100777000001" },
    { name: "Bala Iyer", amount: "200.00", account: "50100777000002" },
  ]);
  await force(
    server.deps.databaseUrl,
    "update payouts set state = 'declined', reason = 'failed_at_gateway' where batch_id = $1",
    [batch.id],
  );
  const { json } = await mia.post(`/api/batches/${batch.id}/retry-batch`, { reason: "confirmed" });
  retryId = json.batch_id;
});
afterAll(() => server.close());

const HEADER =
  "user_id,currency_code,transaction_amount,account_name,bank_account_number,ifsc_code,bank_code,bank_name";
const row = (user: string, amount: string, name: string, account: string) =>
  `${user},INR,${amount},${name},${account},HDFC0000001,HDFC,HDFC Bank`;

async function upload(...rows: string[]): Promise<string> {
  const { json, status } = await mia.post(
    "/api/batches?file_name=again.csv",
    [HEADER, ...rows].join("\n"),
  );
  expect(status, JSON.stringify(json)).toBe(201);
  return json.batch.batch_id;
}
const foundIn = async (id: string, wanted: string) => {
  const { anomalies } = (await chen.get(`/api/batches/${id}/approval`)).json;
  return anomalies.found.find(({ check }: { check: string }) => check === wanted);
};
const retriedIn = (id: string) => foundIn(id, "being_retried");

test("warns at the upload and at the approval, although the account is another one", async () => {
  const id = await upload(
    row("U-0", "55.00", "A. Other", "60200111000001"), // the user ID of a retried payout
    row("X-7", "200.00", "BALA IYER", "60200111000002"), // its name, currency and amount
    row("X-8", "201.00", "Bala Iyer", "60200111000003"), // its name with another amount
    row("X-9", "200.00", "Chitra Sen", "60200111000004"),
  );
  const { findings } = (await mia.get(`/api/batches/${id}/findings`)).json;
  const [warning] = findings.filter(
    ({ example }: { example: { code: string } }) => example.code === "being_retried",
  );
  expect(warning).toMatchObject({ count: 2, example: { severity: "warning" } });

  const found = await retriedIn(id);
  expect(found).toMatchObject({ attention: true, count: 2, sums: [{ amount: "255.00" }] });
  expect(
    found.rows.map(({ line, elsewhere }: { line: number; elsewhere: { batch_id: string } }) => [
      line,
      elsewhere.batch_id,
    ]),
  ).toEqual([
    [3, retryId],
    [2, retryId],
  ]);
});

test("warns the approver of the retry batch about batches approved since the decline", async () => {
  const earlier = await upload(row("U-1", "9.00", "Esi Mensah", "60200333000001"));
  await force(
    server.deps.databaseUrl,
    `insert into transitions (payout_id, seq, event, from_state, to_state, actor)
     select parent_id, 99, 'decline', 'accepted', 'declined', 'payrun'
     from descendants join payouts on id = payout_id where batch_id = $1`,
    [retryId],
  );
  const [user, name] = [
    await upload(row("U-0", "5.00", "A. Other", "60200333000002")),
    await upload(row("X-1", "200.00", "Bala Iyer", "60200333000003")),
  ];
  expect(await foundIn(retryId, "in_approved_batch")).toBeUndefined();
  for (const id of [earlier, user, name]) {
    await force(
      server.deps.databaseUrl,
      "update batches set state = 'approved', approved_at = now() where id = $1",
      [id],
    );
  }
  const found = await foundIn(retryId, "in_approved_batch");
  expect(found).toMatchObject({ attention: true, count: 2, sums: [{ amount: "300.00" }] });
  const batches = found.rows.map(
    ({ elsewhere }: { elsewhere: { batch_id: string } }) => elsewhere.batch_id,
  );
  expect(batches).toEqual([name, user]);
});

test("no longer warns after the retry batch is cancelled", async () => {
  const id = await upload(row("U-1", "77.00", "Dana Das", "60200222000001"));
  expect(await retriedIn(id)).toMatchObject({ count: 1 });
  const operator = await server.newUser(["operator"], "Olu Bello");
  const { status } = await operator.post(`/api/batches/${retryId}/cancel`, { reason: "wrong" });
  expect(status).toBe(200);
  expect(await retriedIn(id)).toBeUndefined();
});

test("shows the approver the bank details that a retry changed, before and after, first", async () => {
  const { ledger } = server.deps;
  const batch = await approvedBatch(ledger, [{ name: "Esi Mensah", account: "60200444000001" }]);
  await declineAll(ledger, batch.id, "refused: invalid IFSC");
  const edits = [{ line: 2, cells: [{ column: "ifsc_code", text: "ICIC0000002" }] }];
  const { json } = await mia.post(`/api/batches/${batch.id}/retry-batch`, { edits });
  const found = await foundIn(json.batch_id, "new_bank_details");
  expect(found).toMatchObject({
    attention: true,
    count: 1,
    rows: [{ changes: [{ column: "ifsc_code", before: "HDFC0000001", after: "ICIC0000002" }] }],
  });
  const { anomalies } = (await chen.get(`/api/batches/${json.batch_id}/approval`)).json;
  expect(anomalies.found[0].check).toBe("new_bank_details");
  const rows = (await chen.get(`/api/batches/${json.batch_id}/approval/rows?show=flagged`)).json;
  expect(rows.items[0].checks).toContain("new_bank_details");
});
