import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestServer, type TestServer } from "../../support/dashboard/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const OWN =
  "user_id,currency_code,transaction_amount,account_name,bank_account_number,ifsc_code,bank_code,bank_name";
const row = (place: number, amount: string, mark: string) =>
  `U-${place},INR,"${amount}",Asha Rao,5010000${mark}${place},HDFC0000001,HDFC,HDFC Bank`;
const LAKH = ["1,25,000.50", "18,400", "2,07,310.25"];
const lakhFile = (mark: string, header = OWN) =>
  [header, ...LAKH.map((amount, place) => row(place, amount, mark)), ""].join("\n");

const upload = (text: string, query = "") =>
  server.as("uploader").post(`/api/batches?file_name=payouts.csv${query}`, text);
const asLakh = `&amounts=${encodeURIComponent("1,25,000.50")}`;
const totalsOf = (json: { batch: { totals: { amount: string }[] } }) =>
  json.batch.totals.map(({ amount }) => amount);

test("F91 stores a file only after its amount format was confirmed", async () => {
  const asked = await upload(lakhFile("11111"));
  expect(asked).toMatchObject({
    status: 422,
    json: {
      code: "reading_unconfirmed",
      proposal: { columns: null, amounts: { values: 3, proposed: "1,25,000.50" } },
    },
  });
  expect(asked.json.proposal.amounts.formats[0].totals).toEqual([
    { currency: "INR", amount: "350710.75" },
  ]);
  const stored = await upload(lakhFile("11111"), asLakh);
  expect([stored.status, totalsOf(stored.json)]).toEqual([201, ["350710.75"]]);
  const id = stored.json.batch.batch_id;
  const found = await server.as("approver").get(`/api/batches/${id}/findings`);
  expect(found.json.file).toMatchObject({ amounts: "1,25,000.50", amounts_confirmed: true });
  const sheet = await server.as("approver").get(`/api/batches/${id}/approval`);
  expect(JSON.stringify(sheet.json)).toContain("Amounts were read in the format 1,25,000.50");
});

test("F77 F91 the same file in another format is the same batch, and is refused", async () => {
  const text = lakhFile("22222");
  const { json } = await upload(text, asLakh);
  const other = await upload(text, `&amounts=${encodeURIComponent("1,234.56")}`);
  expect(other.json).toMatchObject({
    code: "file_unreadable",
    problems: [{ code: "file_read_otherwise" }],
  });
  expect(other.json.detail).toContain(json.batch.batch_id);
  const again = await upload(text, asLakh);
  expect(again.json).toMatchObject({
    is_new: false,
    batch: { batch_id: json.batch.batch_id },
  });
});

test("the format is part of the content that is approved", async () => {
  const plain = [OWN, row(1, "500", "33333"), ""].join("\n");
  const { json } = await upload(plain, `&amounts=${encodeURIComponent("1.234,56")}`);
  const sameRows = [OWN, row(1, "500", "33333"), "", ""].join("\n");
  const second = await upload(sameRows);
  expect(second.json.batch.content_digest).not.toBe(json.batch.content_digest);
  expect(totalsOf(second.json)).toEqual(totalsOf(json));
});

test("reads columns with other names after a confirmation, and suggests them the next time", async () => {
  const header = OWN.replace("transaction_amount", "Amount").replace("ifsc_code", "IFSC");
  const asked = await upload(lakhFile("44444", header));
  expect(asked.json).toMatchObject({ code: "reading_unconfirmed" });
  expect(asked.json.proposal.amounts.proposed).toBe("1,25,000.50");
  const columns = asked.json.proposal.columns.filter(
    ({ basis }: { basis: string }) => basis === "synonym",
  );
  expect(columns).toMatchObject([
    { name: "Amount", column: "transaction_amount", first: "1,25,000.50" },
    { name: "IFSC", column: "ifsc_code" },
  ]);
  const mapping = columns
    .map((each: { name: string; column: string }) => `&columns=${each.name}=${each.column}`)
    .join("");
  const stored = await upload(
    lakhFile("44444", header),
    `${asLakh}${mapping}&remember_columns=true`,
  );
  expect(stored.status).toBe(201);
  const found = await server
    .as("uploader")
    .get(`/api/batches/${stored.json.batch.batch_id}/findings`);
  expect(found.json.file.columns[2]).toEqual({ name: "Amount", column: "transaction_amount" });
  expect(found.json.file.notes.map(({ code }: { code: string }) => code)).toEqual([
    "amounts_read_as",
    "columns_read_as",
  ]);
  const next = await upload(lakhFile("55555", header));
  expect(next.json.proposal.columns[2]).toMatchObject({ name: "Amount", basis: "remembered" });
});

test("reads a file without a currency as the confirmed one, shows it to the approver and remembers it", async () => {
  const header = "Employee No,Net Pay,Name,A/c No,IFSC,Bank";
  const file = (mark: string, names = header) =>
    `${names}\nE-1,500,Asha Rao,5010${mark}1,HDFC0000001,HDFC\nE-2,700,Ravi Rao,5010${mark}2,HDFC0000002,HDFC\n`;
  const asked = await upload(file("77771"));
  expect(asked.json.proposal.currency).toMatchObject({
    proposed: "INR",
    choices: expect.arrayContaining(["INR"]),
    required: expect.arrayContaining([
      { currency: "INR", columns: expect.arrayContaining(["bank_code", "bank_name"]) },
    ]),
  });
  const mapping = asked.json.proposal.columns
    .map((each: { name: string; column: string }) => `&columns=${each.name}=${each.column}`)
    .join("");
  const without = await upload(file("77771"), mapping);
  expect(without.json.detail).toContain("currency_code");
  const { json } = await upload(file("77771"), `${mapping}&currency=INR&remember_columns=true`);
  expect(json.batch).toMatchObject({ rows: 2, rejected: 2 });
  const id = json.batch.batch_id;
  const rows = await server.as("uploader").get(`/api/batches/${id}/rows`);
  expect(rows.json.columns.slice(0, 3)).toEqual(["currency_code", "bank_code", "user_id"]);
  expect(rows.json.items[0].cells.slice(0, 2)).toEqual(["INR", ""]);

  const values = [2, 3].map((line) => ({ line, values: { bank_code: "HDFC" } }));
  const corrected = await server
    .as("uploader")
    .post(`/api/batches/${id}/rows/correct`, { rows: values });
  expect(corrected.json).toMatchObject({ corrected: 2 });
  expect(totalsOf(corrected.json)).toEqual(["1200.00"]);
  const sheet = await server.as("approver").get(`/api/batches/${id}/approval`);
  expect(JSON.stringify(sheet.json)).toContain("All rows were read as INR payouts");

  const other = await upload(file("77771"), `${mapping}&currency=BDT`);
  expect(other.json.problems).toMatchObject([{ code: "file_read_otherwise" }]);
  const next = await upload(file("77772"));
  expect(next.json.proposal.currency).toMatchObject({ proposed: "INR" });
  expect(next.json.proposal.columns[0]).toMatchObject({ basis: "remembered" });
  const unknown = await upload(file("77773"), `${mapping}&currency=XXX`);
  expect(unknown.json.problems).toMatchObject([{ code: "currency_not_available" }]);
});

test("reads corrected rows in the format of their batch", async () => {
  const text = [OWN, row(1, "1,25,000.50", "66666"), row(2, "1.5.5", "66666"), ""].join("\n");
  const { json } = await upload(text, asLakh);
  const id = json.batch.batch_id;
  const rejects = await server.as("uploader").get(`/api/batches/${id}/rejects`);
  const corrected = await server
    .as("uploader")
    .post(
      `/api/batches/${id}/corrections?file_name=c.csv`,
      rejects.text.replace("1.5.5", '"2,00,000"'),
    );
  expect(corrected.json).toMatchObject({ corrected: 1 });
  expect(totalsOf(corrected.json)).toEqual(["325000.50"]);
});

test("a row keeps its code when it is put back into a file with added columns", async () => {
  const header =
    "user_id,transaction_amount,account_name,bank_account_number,ifsc_code,bank_code,bank_name";
  const twice = "U-1,500,Asha Rao,501099990001,HDFC0000001,HDFC,HDFC Bank";
  const { json } = await upload([header, twice, twice, ""].join("\n"), "&currency=INR");
  expect(json.batch).toMatchObject({ rows: 2, rejected: 0 });
  const id = json.batch.batch_id;
  const codes = async () => {
    const { json: found } = await server.as("uploader").get(`/api/payouts?batch=${id}&sort=oldest`);
    return found.items.map((each: { code: string }) => each.code);
  };
  const before = await codes();
  const change = (action: string) =>
    server.as("uploader").post(`/api/batches/${id}/rows/${action}`, { lines: [3] });
  expect((await change("leave-out")).status).toBe(200);
  expect((await change("put-back")).status).toBe(200);
  expect(before.every((code: unknown) => typeof code === "string")).toBe(true);
  expect(new Set(await codes())).toEqual(new Set(before));
});
