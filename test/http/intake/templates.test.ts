import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestServer, type TestServer } from "../../support/dashboard/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const upload = (text: string) =>
  server.as("uploader").post("/api/batches?file_name=payouts.csv", text);

test("lists the bank codes of currencies whose list is published", async () => {
  const codesIn = async (currency: string) =>
    (await server.as("uploader").get(`/api/templates/${currency}/guide`)).json.bank_codes;
  expect(await codesIn("IDR")).toContainEqual({
    code: "MANDIRI",
    name: "Mandiri Bank",
    bank_name: "Mandiri Bank",
  });
  expect(await codesIn("JPY")).toEqual([]);
});

test("contains the columns of its currency and a sample row that cannot be paid", async () => {
  const guide = await server.as("viewer").get("/api/templates/INR/guide");
  expect(guide.json.columns.map(({ column }: { column: string }) => column)).toContain("ifsc_code");
  const { text } = await server.as("uploader").get("/api/templates/INR");
  const [header = "", sample = ""] = text.replace("\ufeff", "").split("\n");
  expect(header).toBe(
    "user_id,currency_code,transaction_amount,account_name,bank_account_number,ifsc_code,bank_code,bank_name,reference",
  );
  expect(sample).toContain("Sample row");
  expect((await upload(text)).json.batch).toMatchObject({ rows: 1, rejected: 1 });
  expect((await server.as("viewer").get("/api/templates/XXX")).status).toBe(404);
  for (const { currency } of (await server.as("viewer").get("/api/templates")).json.items) {
    const template = await server.as("uploader").get(`/api/templates/${currency}`);
    expect((await upload(template.text)).json.batch).toMatchObject({ rows: 1, rejected: 1 });
  }
});
