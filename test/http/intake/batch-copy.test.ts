/** A user's own batch as the template of another one. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestServer, type TestServer } from "../../support/dashboard/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const HEADER =
  "user_id,currency_code,transaction_amount,account_name,bank_account_number,ifsc_code,bank_code,bank_name,reference";
const taken = async (text: string): Promise<string> => {
  const { json } = await server.as("uploader").post("/api/batches?file_name=payouts.csv", text);
  return json.batch.batch_id;
};

test("gives its uploader a copy without codes and rejected rows, and records that on the audit log", async () => {
  const text = `${HEADER},transaction_code,department\n${[
    "U-1,INR,1.00,Asha Rao,00501000000001,HDFC0000001,HDFC,HDFC Bank,x,TX-copy-1,sales",
    "U-2,INR,none,Ravi Rao,50100000000002,HDFC0000001,HDFC,HDFC Bank,x,TX-copy-2,sales",
  ].join("\n")}\n`;
  const id = await taken(text);
  const { headers, text: copy } = await server.as("uploader").get(`/api/batches/${id}/copy`);
  expect(headers["content-disposition"]).toContain(`${id}-copy.csv`);
  const [header = "", ...rows] = copy.trim().split("\n");
  expect(header).toContain("transaction_code");
  expect(header).not.toContain("department");
  expect(rows).toEqual([expect.stringContaining("00501000000001")]);
  expect(copy).not.toContain("TX-copy");
  const again = await server.as("uploader").post("/api/batches?file_name=again.csv", copy);
  expect(again.json).toMatchObject({ is_new: true, batch: { rows: 1, rejected: 0 } });

  const other = await server.newUser(["uploader"], "curious uploader");
  expect((await other.get(`/api/batches/${id}/copy`)).json.code).toBe("forbidden");
  expect((await server.as("approver").get(`/api/batches/${id}/copy`)).status).toBe(403);
  const lines = await server.deps.database
    .selectFrom("audit")
    .select(["actor", "facts"])
    .where("object", "=", id)
    .where("action", "=", "download_copy")
    .execute();
  expect(lines).toEqual([
    { actor: `user:${server.as("uploader").userId}`, facts: '{"format":"csv"}' },
  ]);
});

test("offers a copy with a runnable formula only as a workbook", async () => {
  const row = "@asha,INR,1.00,Asha Rao,50100000000003,HDFC0000001,HDFC,HDFC Bank,x";
  const id = await taken(`${HEADER}\n${row}\n`);
  const csv = await server.as("uploader").get(`/api/batches/${id}/copy`);
  expect(csv.json).toMatchObject({
    code: "workbook_only",
    detail: expect.stringContaining("text"),
  });
  const book = await server.as("uploader").get(`/api/batches/${id}/copy?format=xlsx`);
  expect([book.status, book.headers["content-disposition"]]).toEqual([
    200,
    `attachment; filename="${id}-copy.xlsx"`,
  ]);
});
