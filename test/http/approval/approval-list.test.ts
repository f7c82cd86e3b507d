/** The list of batches awaiting approval: filters, order, sums, and the file. */
import { parse } from "csv-parse/sync";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Caller, startTestServer, type TestServer } from "../../support/dashboard/server.ts";
import { sendForApproval } from "../../support/ledger.ts";
import { fileText, rowsOf } from "../../support/servers/payrun.ts";

let server: TestServer;
let checker: Caller;
const ids: string[] = [];

async function upload(maker: Caller, name: string, rows: Parameters<typeof fileText>[0]) {
  const path = `/api/batches?file_name=pay.csv&amounts=plain&name=${name}`;
  const { json } = await maker.post(path, fileText(rows));
  const { ledger, database } = server.deps;
  const batch = await ledger.payout.findBatch({ id: json.batch.batch_id });
  if (batch) await sendForApproval(database, batch);
  ids.push(json.batch.batch_id);
}

beforeAll(async () => {
  server = await startTestServer({}, []);
  checker = await server.newUser(["approver"], "Chen Checker");
  const mira = await server.newUser(["uploader", "approver"], "Mira Maker");
  const asha = await server.newUser(["uploader"], "Asha Rao");
  await upload(
    mira,
    "Rent",
    rowsOf(2, () => ({ amount: "100.00", account: "50100012345678" })),
  );
  await upload(
    asha,
    "Salaries",
    rowsOf(1, () => ({ amount: "900.00" })),
  );
  await upload(
    asha,
    "Refunds",
    rowsOf(1, () => ({ currency: "IDR", amount: "50.00" })),
  );
});
afterAll(() => server.close());

const found = async (query: string): Promise<string[]> => {
  const { json } = await checker.get(`/api/approvals?${query}`);
  return json.items.map(({ name }: { name: string }) => name);
};

test("counts the findings that approvers must check, once the batches are analysed", async () => {
  const findings = async () => {
    const { json } = await checker.get("/api/approvals");
    return json.items.map((each: { findings: number | null }) => each.findings);
  };
  // Both rows of the first batch pay the same account the same amount.
  await expect.poll(findings, { timeout: 10_000 }).toEqual([expect.any(Number), 0, 0]);
  const sheet = await checker.get(`/api/batches/${ids[0]}/approval`);
  const { length } = sheet.json.anomalies.to_acknowledge;
  expect(length).toBeGreaterThan(0);
  expect((await findings())[0]).toBe(length);
});

test.each([
  ["", ["Rent", "Salaries", "Refunds"]],
  ["sort=newest", ["Refunds", "Salaries", "Rent"]],
  ["sort=largest", ["Salaries", "Rent", "Refunds"]],
  ["sort=smallest", ["Refunds", "Rent", "Salaries"]],
  ["text=sal", ["Salaries"]],
  ["maker=rao", ["Salaries", "Refunds"]],
  ["currency=idr", ["Refunds"]],
  ["maker=rao&currency=INR", ["Salaries"]],
])("lists the batches that match %j", async (query, names) => {
  expect(await found(query)).toEqual(names);
});

test("counts all batches and sums those that match", async () => {
  const { json } = await checker.get("/api/approvals?maker=rao");
  expect(json).toMatchObject({
    mine: 3,
    all: 3,
    totals: [
      { currency: "INR", amount: "900.00", payouts: 1 },
      { currency: "IDR", amount: "50.00", payouts: 1 },
    ],
    makers: [
      { name: "Mira Maker", batches: 1 },
      { name: "Asha Rao", batches: 2 },
    ],
  });
});

test("downloads exactly the batches that match, and records the download", async () => {
  const { text } = await checker.get("/api/approval-export?maker=rao&sort=newest");
  const lines: Record<string, string>[] = parse(text, { bom: true, columns: true });
  expect(lines).toMatchObject([
    { batch_id: ids[2], currency: "IDR", amount: "50.00", approvals_missing: "1" },
    { batch_id: ids[1], currency: "INR", amount: "900.00", uploaded_by: "Asha Rao" },
  ]);
  const workbook = await checker.get("/api/approval-export?format=xlsx");
  expect(workbook.text.slice(0, 2)).toBe("PK");
  const entries = await server.deps.database
    .selectFrom("audit")
    .select("facts")
    .where("action", "=", "download_batches")
    .execute();
  expect(entries).toHaveLength(2);
});
