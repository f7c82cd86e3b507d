/**
 * Workbooks that the dashboard exports, opened by a reader: their cells are text, so zeros survive,
 * and they can be uploaded again.
 */
import { readSheet } from "read-excel-file/node";
import { afterAll, beforeAll, expect, test } from "vitest";
import writeWorkbook from "write-excel-file/node";
import { DEFAULT_FILE_LIMITS, UNPACKED_BYTES_MAX } from "#intake/text/file-limits.ts";
import { startTestServer, type TestServer } from "../../support/dashboard/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({}, ["uploader", "approver"]);
});
afterAll(() => server.close());

const HEADER =
  "user_id,currency_code,transaction_amount,account_name,bank_account_number,ifsc_code,bank_code,bank_name";
const FILE = `${HEADER}
007,INR,100.00,Asha Rao,00501000000001,HDFC0000001,HDFC,HDFC Bank
008,INR,12.50,Asha Rao,00501000000002,HDFCO000001,HDFC,HDFC Bank
`;

async function sheetAt(path: string): Promise<Record<string, unknown>[]> {
  const { headers } = server.as("uploader");
  const { statusCode, rawPayload } = await server.app.inject({ url: path, headers });
  if (statusCode !== 200) throw new Error(`HTTP ${statusCode}`);
  const [names = [], ...rows] = await readSheet(rawPayload, { trim: false });
  return rows.map((cells) =>
    Object.fromEntries(cells.map((cell, place) => [String(names[place]), cell])),
  );
}

const expectText = (rows: readonly Record<string, unknown>[]) => {
  for (const name of HEADER.split(",")) {
    expect(rows.map((row) => [name, typeof row[name]])).toEqual(rows.map(() => [name, "string"]));
  }
};

const send = (path: string, file: string | Buffer) => server.as("uploader").post(path, file);

test("F88 exports a report, its wrong rows and a template as workbooks of text, and accepts the corrected rows from one", async () => {
  const { json } = await send("/api/batches?file_name=zeros.csv", FILE);
  const batch = `/api/batches/${json.batch.batch_id}`;
  const report = await sheetAt(`${batch}/report?format=xlsx`);
  expectText(report);
  expect(report.map((row) => [row["user_id"], row["bank_account_number"]])).toEqual([
    ["007", "00501000000001"],
    ["008", "00501000000002"],
  ]);

  const rejects = await sheetAt(`${batch}/rejects?format=xlsx`);
  expectText(rejects);
  expect(rejects).toMatchObject([
    { user_id: "008", transaction_amount: "12.50", bank_account_number: "00501000000002" },
  ]);
  const repaired = rejects.map((row) => Object.values({ ...row, ifsc_code: "HDFC0000001" }));
  const book = writeWorkbook([Object.keys(rejects[0] ?? {}), ...repaired] as string[][]);
  const back = await send(`${batch}/corrections?file_name=r.xlsx`, await book.toBuffer());
  expect(back.json).toMatchObject({
    corrected: 1,
    batch: { rejected: 0, totals: [{ amount: "112.50" }] },
  });

  const template = await sheetAt("/api/templates/JPY?format=xlsx");
  expect(template).toHaveLength(1);
  for (const cell of Object.values(template[0] ?? {})) {
    expect(cell === null || typeof cell === "string").toBe(true);
  }
});

test("F88 requires the uploader to confirm numbers from a spreadsheet, and shows that to approvers", async () => {
  const [names = "", row = ""] = FILE.split("\n");
  const rowOf = (user: string, account: string | number, ifsc = "HDFC0000001") =>
    row
      .split(",")
      .with(0, user)
      .with(4, account as string)
      .with(5, ifsc);
  const rows = [rowOf("1", 501_000_000_003), rowOf("2", "00501000000004"), rowOf("3", 5, "wrong")];
  const book = await writeWorkbook([names.split(","), ...rows]).toBuffer();
  const { json } = await send("/api/batches?file_name=numbers.xlsx", book);
  const batch = `/api/batches/${json.batch.batch_id}`;
  // The row that is left out does not matter.
  const numbers = [{ column: "bank_account_number", rows: 1 }];
  expect((await server.as("uploader").get(`${batch}/findings`)).json.numbers).toEqual(numbers);

  const submit = (body: object) =>
    server.as("uploader").post(`${batch}/request-approval`, { leave_out: true, ...body });
  const refused = await submit({});
  expect(refused.status).toBe(422);
  expect(refused.json).toMatchObject({
    code: "numbers_not_compared",
    detail: expect.stringContaining("bank_account_number in 1 row."),
    numbers,
  });
  expect(
    (await submit({ numbers_compared: true })).json.batch.approval_requested_at,
  ).not.toBeNull();
  expect((await server.as("approver").get(`${batch}/approval`)).json.numbers).toEqual(numbers);
  const line = await server.deps.database
    .selectFrom("audit")
    .select("facts")
    .where("object", "=", json.batch.batch_id)
    .where("action", "=", "request_approval")
    .executeTakeFirstOrThrow();
  expect(JSON.parse(line.facts)).toMatchObject({ numbers_compared: { bank_account_number: 1 } });
});

test("shows approvers the file-level findings", async () => {
  const [names, row] = FILE.split("\n");
  const file = `${names},memo\n${row},x\n`;
  const { json } = await send("/api/batches?file_name=memo.csv", file);
  const batch = `/api/batches/${json.batch.batch_id}`;
  await server.as("uploader").post(`${batch}/request-approval`, {});
  expect((await server.as("approver").get(`${batch}/approval`)).json.notes).toMatchObject([
    { code: "column_ignored", message: "Column memo was not recognised and was ignored." },
  ]);
});

test("shows the maximum file size with the templates", async () => {
  const { limits } = (await server.as("uploader").get("/api/templates")).json;
  const { bytesMax: bytes, rowsMax: rows, columnsMax: columns } = DEFAULT_FILE_LIMITS;
  expect(limits).toEqual({ bytes, workbook_bytes: UNPACKED_BYTES_MAX, rows, columns });
});
