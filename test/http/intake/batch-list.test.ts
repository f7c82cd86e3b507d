/** The list of batches: filters, pages, counts, sums, and the file. */
import { parse } from "csv-parse/sync";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestServer, type TestServer } from "../../support/dashboard/server.ts";
import { force } from "../../support/servers/postgres.ts";
import { fileText, rowsOf } from "../../support/servers/payrun.ts";

let server: TestServer;
let first: string;
let second: string;

const taken = async (text: string, query = ""): Promise<string> => {
  const path = `/api/batches?file_name=payouts.csv&amounts=plain${query}`;
  const { json } = await server.as("uploader").post(path, text);
  return json.batch.batch_id;
};
const list = async (q: string) => (await server.as("viewer").get(`/api/batches?${q}`)).json;
const summary = async (q: string) =>
  (await server.as("viewer").get(`/api/batch-summary?${q}`)).json;
const idsOf = (items: readonly { batch_id: string }[]) => items.map(({ batch_id }) => batch_id);

beforeAll(async () => {
  server = await startTestServer();
  const rows = rowsOf(3, (place) => ({ currency: place === 2 ? "IDR" : "INR", amount: "100.00" }));
  first = await taken(fileText(rows), "&purpose=Rent%20100%25");
  second = await taken(fileText(rowsOf(2, () => ({ amount: "12.555" }))), "&name=%3DSUM(1)");
});
afterAll(() => server.close());

test("filters the list by text, state, maker and day", async () => {
  expect((await list("text=rent%20100%25")).items).toMatchObject([{ batch_id: first }]);
  expect((await list("text=nothing%20like%20it")).items).toEqual([]);
  expect((await list(`text=${second}&state=needs_correction`)).items).toHaveLength(1);
  expect((await list(`text=${second}&state=approved&state=finished`)).items).toEqual([]);
  expect((await list("to=2020-01-01")).items).toEqual([]);
  const [{ created_at: uploaded }] = (await list(`text=${second}`)).items;
  const later = new Date(Date.parse(uploaded) + 1).toISOString();
  const within = async (from: string, to: string) =>
    (await list(`text=${second}&from=${from}&to=${to}`)).items.length;
  expect([await within(uploaded, later), await within(uploaded, uploaded)]).toEqual([1, 0]);
  expect([await within(later, later), await within(later, "2999-01-01")]).toEqual([0, 0]);
  expect(await within(uploaded.slice(0, 10), uploaded.slice(0, 10))).toBe(1);
  const { userId } = server.as("uploader");
  for (const maker of [`user:${userId}`, "UPLOAD"]) {
    const { items } = await list(`text=${second}&maker=${maker}`);
    expect(items).toMatchObject([{ maker: { name: "uploader" } }]);
  }
  expect((await list("maker=auditor")).items).toEqual([]);
});

test.each([
  ["newest", () => [second, first]],
  ["oldest", () => [first, second]],
  ["most_rows", () => [first, second]],
  ["fewest_rows", () => [second, first]],
  ["largest", () => [first, second]],
  ["smallest", () => [second, first]],
])("pages through the list, %s first", async (sort, expected) => {
  const ids: string[] = [];
  for (let next: string | null = ""; next !== null; ) {
    const page = await list(`sort=${sort}&limit=1${next && `&cursor=${next}`}`);
    ids.push(...idsOf(page.items));
    next = page.next;
  }
  expect(ids).toEqual(expected());
  expect((await server.as("viewer").get("/api/batches?cursor=x")).status).toBe(400);
});

test("counts batches by state and sums their valid rows by currency", async () => {
  expect(await summary("state=draft")).toEqual({
    count: 1,
    totals: [
      { currency: "IDR", amount: "100.00", payouts: 1 },
      { currency: "INR", amount: "200.00", payouts: 2 },
    ],
    not_summed: { drafts: 0, cancelled: 0, retries: 0 },
    states: expect.arrayContaining([
      { state: "draft", batches: 1 },
      { state: "needs_correction", batches: 1 },
    ]),
  });
  expect(await summary("text=rent")).toMatchObject({
    count: 1,
    states: [{ state: "draft", batches: 1 }],
  });
});

test("downloads exactly the filtered batches, and records the download", async () => {
  const file = await server.as("viewer").get("/api/batch-export?sort=oldest");
  const lines: Record<string, string>[] = parse(file.text, { bom: true, columns: true });
  expect(lines.map(({ batch_id, currency, amount }) => [batch_id, currency, amount])).toEqual([
    [first, "IDR", "100.00"],
    [first, "INR", "200.00"],
    [second, "", ""],
  ]);
  // A spreadsheet must not run a name as a formula.
  expect(lines[2]).toMatchObject({ name: "'=SUM(1)", rows: "2", rows_with_problems: "2" });
  const workbook = await server.as("viewer").get("/api/batch-export?format=xlsx&text=rent");
  expect(workbook.text.slice(0, 2)).toBe("PK");
  const line = await server.deps.database
    .selectFrom("audit")
    .select(["facts"])
    .where("action", "=", "download_batches")
    .orderBy("seq", "desc")
    .executeTakeFirstOrThrow();
  expect(JSON.parse(line.facts)).toEqual({ format: "xlsx", filters: ["text"] });
});

test("names the API key that uploaded a batch", async () => {
  const owner = await server.newUser(["uploader"]);
  const key = await server.newKey(["upload", "read"], owner);
  await server.deps.database
    .updateTable("api_keys")
    .set({ name: "ERP import" })
    .where("created_by", "=", owner.userId)
    .execute();
  const { json } = await key.post("/api/batches?file_name=erp.csv", fileText([{}]));
  const name = "API key: ERP import";
  const { items } = (await server.as("viewer").get("/api/batches?text=erp.csv")).json;
  expect(items).toMatchObject([{ maker: { name } }]);
  const path = `/api/batches/${json.batch.batch_id}`;
  expect((await server.as("viewer").get(path)).json.maker.name).toBe(name);
  expect((await server.as("approver").get(`${path}/approval`)).json.maker.name).toBe(name);
});

test("sums neither drafts and cancelled batches nor retries next to other batches", async () => {
  const { database } = server.deps;
  const ids: string[] = [];
  for (let turn = 0; turn < 4; turn += 1) {
    const rows = rowsOf(1, () => ({ amount: "50.00", code: `SUM-${turn}` }));
    ids.push(await taken(fileText(rows), `&name=Summed%20${turn}`));
  }
  const [sent = "", cancelled = "", again = ""] = ids;
  const become = (id: string, state: "awaiting_approval" | "cancelled") =>
    force(server.deps.databaseUrl, "update batches set state = $2 where id = $1", [id, state]);
  await become(sent, "awaiting_approval");
  await become(cancelled, "cancelled");
  await become(again, "awaiting_approval");
  await database
    .insertInto("retry_batches")
    .values({ batch_id: again, parent_id: sent, unchanged_reason: null })
    .execute();
  const totals = [{ currency: "INR", amount: "50.00", payouts: 1 }];
  expect(await summary("text=Summed")).toMatchObject({
    count: 4,
    totals,
    not_summed: { drafts: 1, cancelled: 1, retries: 1 },
  });
  expect(await summary("text=Summed&state=cancelled")).toMatchObject({
    totals,
    not_summed: { drafts: 0, cancelled: 0, retries: 0 },
  });
});
