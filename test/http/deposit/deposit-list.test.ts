/** The list of deposits: filters, pages, counts, sums, and the file. */
import { parse } from "csv-parse/sync";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ACCEPTED, scriptedDepositGateway } from "../../support/deposits.ts";
import { startTestServer, type TestServer } from "../../support/dashboard/server.ts";

let server: TestServer;
const codes: string[] = [];
const get = (path: string) => server.as("viewer").get(path);

beforeAll(async () => {
  server = await startTestServer();
  const gateway = scriptedDepositGateway();
  gateway.request = () => ACCEPTED;
  Object.assign(server.deps.deposits, { gateway });
  for (const wish of [
    { amount: "500", user_id: "customer-1", reference: "=1+1" },
    { amount: "250.50", user_id: "customer-2" },
    { amount: "100", user_id: "customer-2" },
  ]) {
    const { json } = await server.as("uploader").post("/api/deposits", {
      currency: "INR",
      payment_code: "P01",
      deposit_name: "Kim",
      ...wish,
    });
    codes.push(json.code);
  }
});
afterAll(() => server.close());

test.each([
  ["newest", () => codes.toReversed()],
  ["oldest", () => codes],
])("pages through the deposits, %s first", async (sort, expected) => {
  const seen: string[] = [];
  for (let next: string | null = ""; next !== null; ) {
    const { json } = await get(`/api/deposits?sort=${sort}&limit=1${next && `&cursor=${next}`}`);
    seen.push(...json.items.map(({ code }: { code: string }) => code));
    next = json.next;
  }
  expect(seen).toEqual(expected());
});

test("counts and sums the filtered deposits, and counts the states that the other filters find", async () => {
  const { json } = await get("/api/deposit-summary?user_id=customer-2");
  expect(json).toEqual({
    count: 2,
    totals: [{ currency: "INR", amount: "350.50", deposits: 2 }],
    states: [{ state: "awaiting_payment", deposits: 2 }],
  });
  const none = await get("/api/deposit-summary?state=declined");
  expect(none.json).toEqual({
    count: 0,
    totals: [],
    states: [{ state: "awaiting_payment", deposits: 3 }],
  });
});

test("downloads exactly the filtered deposits, and records the download", async () => {
  const { text } = await get("/api/deposit-export?sort=oldest&state=awaiting_payment");
  const lines: Record<string, string>[] = parse(text, { bom: true, columns: true });
  expect(lines.map(({ transaction_code }) => transaction_code)).toEqual(codes);
  expect(lines[0]).toMatchObject({
    requested_amount: "500.00",
    reported_amount: "",
    reference: "'=1+1",
  });
  const workbook = await get("/api/deposit-export?format=xlsx&user_id=customer-1");
  expect(workbook.text.slice(0, 2)).toBe("PK");
  const log = await server.as("auditor").get("/api/audit?action=download_deposits&limit=1");
  expect(log.json.items[0].facts).toEqual({ format: "xlsx", filters: ["user_id"] });
});
