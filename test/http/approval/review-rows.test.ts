/** The rows of a batch as an approver reviews them. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Caller, startTestServer, type TestServer } from "../../support/dashboard/server.ts";

let server: TestServer;
let mia: Caller;
let chen: Caller;
beforeAll(async () => {
  server = await startTestServer({}, []);
  mia = await server.newUser(["uploader"], "Mia Okafor");
  chen = await server.newUser(["approver"], "Chen Wei");
});
afterAll(() => server.close());

const HEADER =
  "user_id,currency_code,transaction_amount,account_name,bank_account_number,ifsc_code,bank_code,bank_name";
let account = 50_100_020_000_000;
const row = (name: string, amount: string, ifsc = "HDFC0000001") =>
  `U-1,INR,${amount},${name},${account++},${ifsc},HDFC,HDFC Bank`;
async function upload(...rows: string[]): Promise<string> {
  const file = [HEADER, ...rows].join("\n");
  const { json, status } = await mia.post("/api/batches?file_name=pay.csv", file);
  expect(status, JSON.stringify(json)).toBe(201);
  return json.batch.batch_id;
}
const page = async (id: string, query = "") =>
  (await chen.get(`/api/batches/${id}/approval/rows?${query}`)).json;
const names = async (id: string, query = "") =>
  (await page(id, query)).items.map(({ beneficiary }: { beneficiary: string }) => beneficiary);

test("lists the largest rows first, in pages, and counts the flagged ones", async () => {
  const id = await upload(row("Asha Rao", "10.00"), row("Bala Iyer", "30.00"), row("Chitra", "20"));
  const first = await page(id, "limit=2");
  expect(first.items).toMatchObject([
    { beneficiary: "Bala Iyer", amount: "30.00", checks: ["never_paid"], correction: null },
    { beneficiary: "Chitra", line: 4 },
  ]);
  expect(first.counts).toEqual({ all: 3, flagged: 3, corrected: 0, new: 3 });
  expect(await names(id, `limit=2&cursor=${first.next}`)).toEqual(["Asha Rao"]);
});

test("counts all flagged rows, and says how many of them it lists", async () => {
  const rows = Array.from({ length: 60 }, (_, index) => row("Asha Rao", `${10 + index}.25`));
  const id = await upload(...rows);
  const { counts, listed } = await page(id, "show=flagged&limit=100");
  expect(counts).toEqual({ all: 60, flagged: 60, corrected: 0, new: 60 });
  expect(listed).toEqual({ flagged: 50, new: 50 });
});

test.each([
  ["rao", ["Asha Rao"]],
  ["30", ["Bala Iyer"]],
  ["INR 10", ["Asha Rao"]],
  ["sha", []],
])("finds payouts by the beginning %j of a name or number", async (text, found) => {
  const id = await upload(row("Asha Rao", "10.00"), row("Bala Iyer", "30.00"));
  expect(await names(id, `text=${encodeURIComponent(text)}`)).toEqual(found);
});

test("shows the cells that a correction changed, before and after, and lists them first", async () => {
  const id = await upload(row("Asha Rao", "12.555"), row("Bala Iyer", "30.00"));
  const { text } = await mia.get(`/api/batches/${id}/rejects`);
  const repaired = text.replaceAll("12.555", "12.50");
  await mia.post(`/api/batches/${id}/corrections?file_name=r.csv`, repaired);
  const { items, counts } = await page(id);
  expect([items[0].beneficiary, counts.corrected]).toEqual(["Asha Rao", 1]);
  const sheet = await chen.get(`/api/batches/${id}/approval`);
  expect(sheet.json.corrected).toBe(1);
  expect(items[0].correction).toMatchObject({
    by: { name: "Mia Okafor" },
    cells: [{ column: "transaction_amount", before: "12.555", after: "12.50" }],
  });
  expect(await names(id, "show=corrected")).toEqual(["Asha Rao"]);
});

test("tells a corrected account from a corrected phone number", async () => {
  const file = `user_id,currency_code,transaction_amount,account_name,bank_account_number,bank_code,bank_name,phone_number
U-1,BDT,1200.00,Rahim Uddin,01812345678,2001,BKASH,1812345678
U-2,BDT,640.75,Nasrin Akter,0171-2345,2004,NAGAD,01712345679`;
  const { json, status } = await mia.post("/api/batches?file_name=bdt.csv", file);
  expect(status, JSON.stringify(json)).toBe(201);
  const id = json.batch.batch_id;
  const { text } = await mia.get(`/api/batches/${id}/rejects`);
  const repaired = text
    .replace("BKASH,1812345678", "BKASH,01812345678")
    .replace(",0171-2345,", ",01712345679,");
  await mia.post(`/api/batches/${id}/corrections?file_name=r.csv`, repaired);
  const { items } = await page(id);
  const cells = items.flatMap(
    ({ correction }: { correction: { cells: object[] } }) => correction.cells,
  );
  expect(cells).toMatchObject([
    { column: "phone_number", is_account: false },
    { column: "bank_account_number", is_account: true },
  ]);
});

test("lists the payouts that changed against the previous batch, and the largest first", async () => {
  const [asha, bala, chitra] = [row("Asha Rao", "10.00"), row("Bala", "30.00"), row("Chitra", "5")];
  const earlier = await upload(asha, bala, chitra);
  expect(await names(earlier, "show=changed")).toEqual([]);
  const id = await upload(
    asha,
    bala.replace("30.00", "31.00"),
    chitra,
    row("Dev Nair", "7.00"),
    row("Esha", "100.00"),
  );
  expect(await names(id, "show=changed&order=largest")).toEqual(["Esha", "Bala", "Dev Nair"]);
  expect(await names(id, "order=largest")).toEqual([
    "Esha",
    "Bala",
    "Asha Rao",
    "Dev Nair",
    "Chitra",
  ]);
  const listed = async (query: string) => chen.get(`/api/payouts?compared=changed${query}`);
  const { json } = await listed(`&batch=${id}&sort=largest`);
  expect(json.items.map(({ beneficiary }: { beneficiary: string }) => beneficiary)).toEqual([
    "Esha",
    "Bala",
    "Dev Nair",
  ]);
  expect((await listed("")).json.places).toMatchObject([{ place: "query.compared" }]);
});
