/** The findings that an approver must acknowledge before a batch is approved. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Caller, startTestServer, type TestServer } from "../../support/dashboard/server.ts";

let server: TestServer;
let mia: Caller;
let chen: Caller;
beforeAll(async () => {
  server = await startTestServer({}, []);
  mia = await server.newUser(["uploader"], "Mia Okafor");
  chen = await server.newUser(["approver"], "Chen Wei");
  await server.deps.database
    .updateTable("sessions")
    .set({ stepped_up_until: new Date(server.deps.clock.nowMs() + 600_000) })
    .execute();
});
afterAll(() => server.close());

const HEADER =
  "user_id,currency_code,transaction_amount,account_name,bank_account_number,ifsc_code,bank_code,bank_name";
let account = 50_100_030_000_000;
const row = (name: string, amount: string, to = account++) =>
  `U-1,INR,${amount},${name},${to},HDFC0000001,HDFC,HDFC Bank`;

async function upload(...rows: string[]): Promise<string> {
  const { json, status } = await mia.post(
    "/api/batches?file_name=pay.csv",
    [HEADER, ...rows].join("\n"),
  );
  expect(status, JSON.stringify(json)).toBe(201);
  const path = `/api/batches/${json.batch.batch_id}`;
  await mia.post(`${path}/request-approval`, {});
  return path;
}
const sheetOf = async (path: string) => (await chen.get(`${path}/approval`)).json;
async function approve(path: string, amount: string, acknowledged?: object[]) {
  const { content_digest } = await sheetOf(path);
  const totals = [{ currency: "INR", amount }];
  return chen.post(`${path}/approve`, { content_digest, totals, acknowledged });
}
/** A batch that pays one account the same amount twice, under two names. */
const uploadTwice = () => {
  const to = account++;
  return upload(row("Asha Rao", "10.00", to), row("Bala Iyer", "10.00", to));
};

test("approves a batch without decisive findings as before", async () => {
  const path = await upload(row("Asha Rao", "10.00"));
  const { anomalies } = await sheetOf(path);
  expect(anomalies.to_acknowledge).toEqual([]);
  expect(await approve(path, "10.00")).toMatchObject({ status: 200, json: { missing: 0 } });
});

test.each([
  ["none", undefined],
  ["one for another check", [{ finding: "paid_lately", rows: 2 }]],
  ["one for another number of rows", [{ finding: "twice_here", rows: 1 }]],
])("refuses an approval with the acknowledgement %s", async (_what, acknowledged) => {
  const path = await uploadTwice();
  const { status, json } = await approve(path, "20.00", acknowledged);
  expect([status, json.code]).toEqual([422, "findings_not_acknowledged"]);
  expect(json.places).toEqual([
    { place: "twice_here", message: "same account and amount twice in this batch" },
  ]);
  expect(await sheetOf(path)).toMatchObject({ state: "awaiting_approval", policy: { given: 0 } });
});

test("approves with each finding acknowledged, and records them in the audit log", async () => {
  const path = await uploadTwice();
  const { anomalies } = await sheetOf(path);
  const needed = [{ finding: "twice_here", rows: 2 }];
  expect(anomalies.to_acknowledge).toMatchObject(needed);
  const further = { finding: "paid_lately", rows: 1 };
  const { status } = await approve(path, "20.00", [...needed, further]);
  expect(status).toBe(200);
  const line = await server.deps.database
    .selectFrom("audit")
    .select("facts")
    .where("object", "=", path.replace("/api/batches/", ""))
    .where("action", "=", "approve")
    .executeTakeFirstOrThrow();
  expect(JSON.parse(line.facts)).toMatchObject({ acknowledged: needed });
});

test("names another batch that pays the same accounts the same amounts", async () => {
  const to = Array.from({ length: 10 }, () => account++);
  const rows = (name: string) => to.map((each, place) => row(`${name} ${place}`, "10.00", each));
  const first = await upload(...rows("Asha"));
  const path = await upload(...rows("Bala"));
  const { anomalies } = await sheetOf(path);
  const overlap = `overlap:${first.replace("/api/batches/", "")}`;
  expect(anomalies.to_acknowledge).toContainEqual(
    expect.objectContaining({ finding: overlap, rows: 10 }),
  );
  const others = anomalies.to_acknowledge
    .filter(({ finding }: { finding: string }) => finding !== overlap)
    .map(({ finding, rows: count }: { finding: string; rows: number }) => ({
      finding,
      rows: count,
    }));
  const { json } = await approve(path, "100.00", others);
  expect(json.places).toMatchObject([{ place: overlap }]);
});
