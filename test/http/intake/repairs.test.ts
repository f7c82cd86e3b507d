import { afterAll, beforeAll, expect, test } from "vitest";
import { repairRows } from "#flows/intake/repair.ts";
import { applySuggestedFixes } from "#flows/intake/suggested-fixes.ts";
import { eventually } from "../../support/servers/eventually.ts";
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

const JPY_HEADER =
  "user_id,currency_code,transaction_amount,account_name,bank_account_number,bank_code,bank_name,branch_code,transaction_code";
const yen = (place: number, account: string, amount = "1000") =>
  `J-${place},JPY,${amount},Tanaka Ken,${account},0001,Mizuho,015,JP-${files}-${place}`;
async function uploadedYen(...rows: readonly string[]): Promise<string> {
  const text = [JPY_HEADER, ...rows].join("\n");
  const { json } = await server.as("uploader").post(`/api/batches?file_name=j${files}.csv`, text);
  return json.batch.batch_id;
}
const reviewed = async (id: string) =>
  (await server.as("approver").get(`/api/batches/${id}/approval/rows`)).json;

test("replaces a valid row whose account is warned about, and keeps its code and the old value", async () => {
  files += 1;
  const id = await uploadedYen(yen(1, "12345"), yen(2, "7654321", "500"));
  const before = await reviewed(id);
  expect(before.items[0]).toMatchObject({ line: 2, account_last4: "2345" });
  expect(before.items[0].checks).toContain("warned");
  const sheet = (await server.as("approver").get(`/api/batches/${id}/approval`)).json;
  const [warned] = sheet.anomalies.found.filter(
    ({ check }: { check: string }) => check === "warned",
  );
  expect(warned).toMatchObject({ attention: true, count: 1, sums: [{ amount: "1000" }] });
  expect(warned.rows[0].warnings[0]).toContain("leading zero");

  const checked = await edit(id, "check", 2, { bank_account_number: "0012345" });
  expect(checked.json.items).toMatchObject([{ line: 2, problems: [] }]);
  const { json } = await edit(id, "correct", 2, { bank_account_number: "0012345" });
  const totals = [{ currency: "JPY", amount: "1500" }];
  expect(json).toMatchObject({ rows: 1, corrected: 1, batch: { rejected: 0, totals } });
  expect(json.batch.state).toBe("draft");

  const after = await reviewed(id);
  expect(after.items).toHaveLength(2);
  expect(after.counts).toMatchObject({ all: 2, corrected: 1 });
  expect(after.items[0]).toMatchObject({ line: 2, code: before.items[0].code });
  expect(after.items[0].checks).not.toContain("warned");
  expect(after.items[0].correction.cells).toMatchObject([{ column: "bank_account_number" }]);
  const found = (await server.as("uploader").get(`/api/batches/${id}/findings`)).json;
  expect(found.findings).toEqual([]);
  const listed = (await server.as("uploader").get(`/api/payouts?batch=${id}&line=2`)).json;
  expect(listed).toMatchObject({ count: 1, items: [{ line: 2, account_last4: "2345" }] });
});

test("counts every row with the same warning, and lists the first ten thousand", async () => {
  files += 1;
  const id = await uploadedYen(
    ...Array.from({ length: 10_020 }, (_, at) => yen(at, `${10_000 + at}`)),
  );
  const uploader = server.as("uploader");
  const found = (await uploader.get(`/api/batches/${id}/findings`)).json;
  expect(found.findings).toMatchObject([{ count: 10_020 }]);
  const listed = (await uploader.get(`/api/batches/${id}/rows?severity=warning&after=9999`)).json;
  expect(listed.items.map(({ line }: { line: number }) => line)).toEqual([10_000, 10_001]);
  const anomalies = await eventually("the analysis", async () => {
    const { json } = await server.as("approver").get(`/api/batches/${id}/approval`);
    return json.anomalies ?? false;
  });
  expect(anomalies.found).toContainEqual(
    expect.objectContaining({ check: "warned", count: 10_020 }),
  );
});

test("refuses a new value that makes a valid row invalid, and keeps the row", async () => {
  files += 1;
  const id = await uploadedYen(yen(1, "12345", "300"), yen(2, "7654321", "200"));
  const { status, json } = await edit(id, "correct", 2, { bank_account_number: "12" });
  expect([status, json.problems[0]]).toMatchObject([422, { severity: "error" }]);
  const kept = (await server.as("uploader").get(`/api/batches/${id}/findings`)).json.batch;
  const totals = [{ currency: "JPY", amount: "500" }];
  expect(kept).toMatchObject({ state: "draft", rejected: 0, totals });
  const again = await edit(id, "correct", 2, { bank_account_number: "1234567" });
  expect(again.json).toMatchObject({ corrected: 1, batch: { rejected: 0, totals } });
  expect((await reviewed(id)).counts).toMatchObject({ all: 2, corrected: 1 });
});

test("refuses to edit a valid row that has a comment, and rows of an approved batch", async () => {
  files += 1;
  const id = await uploadedYen(yen(1, "12345"), yen(2, "54321", "2000"));
  const [row] = (await server.as("uploader").get(`/api/payouts?batch=${id}&line=2`)).json.items;
  await server.as("uploader").post("/api/comments", { payout: row.code, text: "Is this right?" });
  const commented = await edit(id, "correct", 2, { bank_account_number: "0012345" });
  expect(commented.json).toMatchObject({ problems: [{ code: "line_not_rejected" }] });
  await server.deps.database
    .updateTable("batches")
    .set({ state: "cancelled" })
    .where("id", "=", id)
    .execute();
  const late = await edit(id, "correct", 3, { bank_account_number: "0054321" });
  expect(late.status).toBe(409);
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

test("refuses edits of rows that somebody else has edited in the meantime", async () => {
  files += 1;
  const id = await uploaded(row(14, "23.00", "hdfc0000001"), row(15, "24.00", "HDFC1"));
  const { ledger, rows, clock, deps, database } = server.deps;
  const batch = await ledger.payout.findBatch({ id });
  if (!batch) throw new Error("no batch");
  let between = async () => {};
  const overtaken: typeof ledger = {
    ...ledger,
    transaction: async (work) => {
      await between();
      return ledger.transaction(work);
    },
  };
  const at = new Date(clock.nowMs());
  const given = { ledger: overtaken, keyring: deps.keyring, rows, at };
  between = async () => {
    const other = await edit(id, "correct", 2, { ifsc_code: "HDFC9", account_name: "Nila Sen" });
    expect(other.json.corrected).toBe(0);
  };
  const changed = { ok: true, value: { kind: "content_changed" } };
  const fixes = { kind: "capitals", values: 1 } as const;
  expect(await applySuggestedFixes(batch, fixes, "user:late", given)).toEqual(changed);
  const read = await ledger.payout.findBatch({ id });
  if (!read) throw new Error("no batch");
  const late = [{ line: 2, values: { ifsc_code: "HDFC0000001" } }];
  between = async () => {
    await edit(id, "correct", 2, { ifsc_code: "HDFC8", account_name: "Puja Nair" });
  };
  expect(await repairRows(read, late, "user:late", given)).toEqual(changed);
  const { json } = await server.as("uploader").get(`/api/batches/${id}/rows`);
  expect(JSON.stringify(json.items[0])).toContain("HDFC8");
  expect(JSON.stringify(json.items[0])).toContain("Puja Nair");
  expect(
    await database.selectFrom("payouts").select("id").where("batch_id", "=", id).execute(),
  ).toEqual([]);
});
