import { afterAll, beforeAll, expect, test } from "vitest";
import { startDesk, type TestDesk } from "../../support/dashboard/server.ts";

let desk: TestDesk;
beforeAll(async () => {
  desk = await startDesk();
});
afterAll(() => desk.close());

const upload = (text: string) =>
  desk.as("uploader").post("/api/batches?file_name=payouts.csv", text);

test("contains the columns of its currency and a sample row that cannot be paid", async () => {
  const guide = await desk.as("viewer").get("/api/templates/INR/guide");
  expect(guide.json.columns.map(({ column }: { column: string }) => column)).toContain("ifsc_code");
  const { text } = await desk.as("uploader").get("/api/templates/INR");
  const [header = "", sample = ""] = text.replace("\ufeff", "").split("\n");
  expect(header).toBe(
    "user_id,currency_code,transaction_amount,account_name,bank_account_number,ifsc_code,bank_code,bank_name,reference",
  );
  expect(sample).toContain("Sample row");
  expect((await upload(text)).json.batch).toMatchObject({ rows: 1, rejected: 1 });
  expect((await desk.as("viewer").get("/api/templates/XXX")).status).toBe(404);
  for (const { currency } of (await desk.as("viewer").get("/api/templates")).json.items) {
    const template = await desk.as("uploader").get(`/api/templates/${currency}`);
    expect((await upload(template.text)).json.batch).toMatchObject({ rows: 1, rejected: 1 });
  }
});
