import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestServer, type TestServer } from "../../support/dashboard/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const HEADER =
  "user_id,currency_code,transaction_amount,account_name,bank_account_number,ifsc_code,bank_code,bank_name";
const row = (place: number, amount: string, ifsc: string, account = "50100001234") =>
  `U-${place},INR,${amount},Asha Rao,${account}${place},${ifsc},HDFC,HDFC Bank`;

let files = 0;
async function uploaded(...rows: readonly string[]): Promise<string> {
  files += 1;
  const { json } = await server
    .as("uploader")
    .post(
      `/api/batches?file_name=f${files}.csv&amounts=plain`,
      [HEADER, ...rows, "\n".repeat(files)].join("\n"),
    );
  return json.batch.batch_id;
}
const edit = (id: string, action: "check" | "correct", line: number, values: object) =>
  server.as("uploader").post(`/api/batches/${id}/rows/${action}`, { rows: [{ line, values }] });

test("checks a new value as it would be stored, and stores nothing", async () => {
  const id = await uploaded(row(1, "10.00", "HDFC0000001"), row(2, "11.00", "HDFCO000001"));
  const wrong = await edit(id, "check", 3, { ifsc_code: "HDFC001" });
  expect(wrong.json.items).toMatchObject([{ line: 3, problems: [{ code: "bad_ifsc" }] }]);
  const right = await edit(id, "check", 3, { ifsc_code: "HDFC0000001" });
  expect(right.json.items).toMatchObject([{ line: 3, problems: [] }]);
  const { json } = await server.as("uploader").get(`/api/batches/${id}/findings`);
  expect(json.batch).toMatchObject({ rejected: 1 });
});

test("stores new values with the old ones for the approver", async () => {
  const id = await uploaded(row(3, "12.00", "HDFC0000001"), row(4, "13.00", "HDFCO000001"));
  const { json } = await edit(id, "correct", 3, { ifsc_code: "HDFC0000001" });
  expect(json).toMatchObject({
    rows: 1,
    corrected: 1,
    batch: { rejected: 0, totals: [{ amount: "25.00" }] },
  });
  const found = await server.as("uploader").get(`/api/batches/${id}/findings`);
  expect(found.json.corrections).toMatchObject([
    { file: "Edited on the dashboard", rows: 1, corrected: 1 },
  ]);
  const reviewed = await server.as("approver").get(`/api/batches/${id}/approval/rows`);
  const corrected = reviewed.json.items.find(({ line }: { line: number }) => line === 3);
  expect(corrected.correction).not.toBeNull();
});

test("keeps a row that is still wrong, and accepts the same edit again later", async () => {
  const id = await uploaded(row(5, "14.00", "HDFC0000001"), row(6, "15.00", "HDFCO000001"));
  const still = await edit(id, "correct", 3, { ifsc_code: "HDFC1" });
  expect(still.json).toMatchObject({ corrected: 0, batch: { rejected: 1 } });
  expect((await edit(id, "correct", 3, { ifsc_code: "HDFC2" })).json.corrected).toBe(0);
  expect((await edit(id, "correct", 3, { ifsc_code: "HDFC1" })).json.corrected).toBe(0);
});

test("refuses lines that are valid, unknown columns, and people who may not see the rows", async () => {
  const id = await uploaded(row(7, "16.00", "HDFC0000001"), row(8, "17.00", "HDFCO000001"));
  const valid = await edit(id, "correct", 2, { ifsc_code: "HDFC0000002" });
  expect(valid.json).toMatchObject({ problems: [{ code: "line_not_rejected" }] });
  const column = await edit(id, "check", 3, { ifsc: "HDFC0000002" });
  expect(column.json).toMatchObject({ problems: [{ code: "mapped_column_missing" }] });
  const body = { rows: [{ line: 3, values: { ifsc_code: "HDFC0000001" } }] };
  const { status } = await server.as("approver").post(`/api/batches/${id}/rows/correct`, body);
  expect(status).toBe(403);
});

test("corrects similar values in all rejected rows at once, as previewed", async () => {
  const wrong = Array.from({ length: 12 }, (_, at) => row(20 + at, "30.00", "hdfc0000001"));
  const id = await uploaded(...wrong, row(40, "30.00", "HDFC1"), row(41, "30.00", "HDFC0000001"));
  const uploader = server.as("uploader");
  const path = `/api/batches/${id}/row-fixes`;
  const { items } = (await uploader.get(path)).json;
  expect(items).toMatchObject([{ kind: "capitals", values: 12 }]);
  expect(items[0].examples).toHaveLength(10);
  expect(items[0].examples[0]).toEqual({
    line: 2,
    column: "ifsc_code",
    before: "hdfc0000001",
    after: "HDFC0000001",
  });
  const outdated = await uploader.post(path, { kind: "capitals", values: 11 });
  expect(outdated.json.code).toBe("content_changed");
  const { json } = await uploader.post(path, { kind: "capitals", values: 12 });
  expect(json).toMatchObject({ rows: 12, corrected: 12, batch: { rejected: 1 } });
  expect((await uploader.get(path)).json.items).toEqual([]);
  expect((await server.as("approver").get(path)).status).toBe(403);
});

test("suggests values that keep the meaning of a cell", async () => {
  const id = await uploaded(
    row(9, "18.00", "hdfc0000001"),
    row(10, '"1,900.00"', "HDFC0000001"),
    row(11, "20.00", "HDFC0000001", "5010-0001-234"),
    row(12, "21.00", "HDFC0000001"),
    row(13, "22.00", "HDFC0000001"),
  );
  const { json } = await server.as("uploader").get(`/api/batches/${id}/rows`);
  expect(json.items.flatMap(({ fixes }: { fixes: object[] }) => fixes)).toEqual([
    { column: "ifsc_code", value: "HDFC0000001" },
    { column: "transaction_amount", value: "1900.00" },
    { column: "bank_account_number", value: "5010000123411" },
  ]);
});
