import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestServer, type TestServer } from "../../support/dashboard/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const HEADER =
  "user_id,currency_code,transaction_amount,account_name,bank_account_number,ifsc_code,bank_code,bank_name,transaction_code";
const row = (place: number, amount: string, { ifsc = "HDFC0000001", code = "" } = {}) =>
  `U-${place},INR,${amount},Asha Rao,5010000123${place},${ifsc},HDFC,HDFC Bank,${code}`;

const upload = (name: string, ...rows: readonly string[]) =>
  server
    .as("uploader")
    .post(`/api/batches?file_name=${name}.csv&amounts=plain`, [HEADER, ...rows].join("\n"));
const uploaded = async (...given: Parameters<typeof upload>): Promise<string> =>
  (await upload(...given)).json.batch.batch_id;
const change = (id: string, action: "leave-out" | "put-back", body: object) =>
  server.as("uploader").post(`/api/batches/${id}/rows/${action}`, body);
const findings = async (id: string) =>
  (await server.as("uploader").get(`/api/batches/${id}/findings`)).json;
const send = (id: string, body: object) =>
  server.as("uploader").post(`/api/batches/${id}/request-approval`, body);
const payouts = async (id: string) =>
  (await server.as("uploader").get(`/api/payouts?batch=${id}&sort=oldest`)).json.items;
const leftOut = async (id: string, who: Parameters<TestServer["as"]>[0] = "uploader") =>
  (await server.as(who).get(`/api/batches/${id}/left-out-rows`)).json;

test("finds the row with the total in a file without a currency", async () => {
  const without = (text: string) => text.split(",").toSpliced(1, 1).join(",");
  const lines = [HEADER, row(14, "10.00"), row(15, "11.50")].map(without);
  const { json } = await server
    .as("uploader")
    .post(
      "/api/batches?file_name=no-currency.csv&amounts=plain&currency=INR",
      [...lines, "Total,21.50,,,,,,"].join("\n"),
    );
  const found = await findings(json.batch.batch_id);
  expect(found.total_rows).toEqual([{ line: 4, equals_total: true }]);
});

test("proposes to leave out the row with the total, and keeps it for the approver", async () => {
  const id = await uploaded("total", row(10, "10.00"), row(11, "11.50"), "Total,,21.50,,,,,,");
  const found = await findings(id);
  expect(found.total_rows).toEqual([{ line: 4, equals_total: true }]);
  const before = found.batch;
  const { json } = await change(id, "leave-out", {
    lines: [4],
    content_digest: before.content_digest,
  });
  expect(json).toMatchObject({ rows: 1, batch: { state: "draft", rows: 2, rejected: 0 } });
  expect(json.batch.content_digest).not.toBe(before.content_digest);
  const after = await findings(id);
  expect(after).toMatchObject({ total_rows: [], findings: [] });
  const seen = await leftOut(id, "approver");
  expect(seen).toMatchObject({ count: 1, items: [{ line: 4, by: { name: expect.any(String) } }] });
  expect(seen.items[0].cells.slice(0, 3)).toEqual(["Total", "", "21.50"]);

  // The same file is still the same batch, and the rows that are sent are what is expected.
  const again = await upload("total", row(10, "10.00"), row(11, "11.50"), "Total,,21.50,,,,,,");
  expect(again.json).toMatchObject({ is_new: false, batch: { batch_id: id } });
  expect((await send(id, { expect_rows: 3 })).json.obstacles).toEqual([
    "You expected 3 rows, but the batch has 2.",
  ]);
  expect((await send(id, { expect_rows: 2 })).json.batch.state).toBe("awaiting_approval");
  const late = await change(id, "put-back", { lines: [4] });
  expect([late.status, late.json.code]).toEqual([409, "wrong_state"]);
  const report = await server.as("uploader").get(`/api/batches/${id}/report?format=csv`);
  expect(report.text).toMatch(/^Total,.*,4,,left_out,,,Left out by the uploader\./m);
  expect(await payouts(id)).toHaveLength(2);
});

test("compares the expected rows with those that will be sent", async () => {
  const id = await uploaded("expected", row(20, "10.00"), row(21, "11.00", { ifsc: "HDFC1" }));
  const both = await send(id, { leave_out: true, expect_rows: 2 });
  expect(both.json.obstacles).toEqual(["You expected 2 rows, but the batch has 1."]);
  const good = await send(id, { leave_out: true, expect_rows: 1 });
  expect(good.json.batch.state).toBe("awaiting_approval");
});

test("a valid row that was left out gives up its code, and can be paid in another file", async () => {
  const id = await uploaded(
    "twice",
    row(30, "12.00", { code: "TWICE-1" }),
    row(30, "12.00", { code: "TWICE-2" }),
  );
  const [first, second] = await payouts(id);
  expect([first.code, second.code]).toEqual(["TWICE-1", "TWICE-2"]);
  const body = { lines: [3], content_digest: (await findings(id)).batch.content_digest };
  const { json } = await change(id, "leave-out", body);
  expect(json.batch).toMatchObject({ state: "draft", rows: 1, rejected: 0 });
  expect(json.batch.totals).toMatchObject([{ amount: "12.00", payouts: 1 }]);
  expect(await payouts(id)).toMatchObject([{ line: 2, code: "TWICE-1" }]);
  const repeated = await change(id, "leave-out", body);
  expect(repeated.json.code).toBe("content_changed");

  const other = await uploaded("later", row(30, "12.00", { code: "TWICE-2" }));
  expect(await payouts(other)).toMatchObject([{ code: "TWICE-2" }]);
  // Its code is taken now, so the row that is put back is rejected instead of paid twice.
  const back = await change(id, "put-back", { lines: [3] });
  expect(back.json.batch).toMatchObject({ state: "needs_correction", rows: 2, rejected: 1 });
  const [{ example }] = (await findings(id)).findings;
  expect(example.code).toBe("transaction_code_in_use");
  expect(await payouts(id)).toHaveLength(1);
});

test("a row that is put back is validated again and gets the code of its file", async () => {
  const id = await uploaded("back", row(40, "10.00"), row(40, "10.00"), row(41, "11.00"));
  const before = await payouts(id);
  const digest = (await findings(id)).batch.content_digest;
  await change(id, "leave-out", { lines: [3] });
  const { json } = await change(id, "put-back", { lines: [3] });
  expect(json).toMatchObject({ rows: 1, batch: { state: "draft", rows: 3, rejected: 0 } });
  expect(json.batch.content_digest).not.toBe(digest);
  expect((await leftOut(id)).items).toEqual([]);
  const after = await payouts(id);
  const codes = (all: { line: number; code: string }[]) =>
    all.map(({ line, code }) => `${line} ${code}`).toSorted();
  expect(codes(after)).toEqual(codes(before));
  const { counts } = (await server.as("approver").get(`/api/batches/${id}/approval/rows`)).json;
  expect(counts ?? { corrected: 0 }).toMatchObject({ corrected: 0 });
  const report = await server.as("uploader").get(`/api/batches/${id}/report?format=csv`);
  const [, ...lines] = report.text.trim().split("\n");
  expect(lines.map((line) => /,(\d),[^,]+,awaiting_approval/.exec(line)?.[1])).toEqual([
    "2",
    "3",
    "4",
  ]);
});

test("leaves out all rows or none, and never the last one", async () => {
  const id = await uploaded("none", row(50, "10.00"), row(51, "11.00", { ifsc: "HDFC1" }));
  const valid = await change(id, "leave-out", { lines: [2] });
  expect(valid.json.problems).toMatchObject([{ code: "line_stays" }]);
  const all = await change(id, "leave-out", { lines: [2, 3] });
  expect([all.status, all.json.code]).toEqual([422, "not_ready"]);
  const none = await change(id, "put-back", { lines: [3] });
  expect(none.json.problems).toMatchObject([{ code: "line_not_left_out" }]);
  expect((await findings(id)).batch).toMatchObject({ rows: 2, rejected: 1 });
  const other = await server
    .as("approver")
    .post(`/api/batches/${id}/rows/leave-out`, { lines: [3] });
  expect(other.status).toBe(403);
});

test("records who left a row out on the audit log", async () => {
  const id = await uploaded("memory", row(60, "10.00"), row(60, "10.00"), row(61, "11.00"));
  await change(id, "leave-out", { lines: [3] });
  expect((await send(id, {})).json.batch.state).toBe("awaiting_approval");
  const log = await server.as("admin").get(`/api/audit?object=${id}&action=leave_out_rows`);
  expect(log.json.items).toHaveLength(1);
});
