import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestServer, type TestServer } from "../../support/dashboard/server.ts";
import { approvedBatch, claimOf, laneIn } from "../../support/ledger.ts";
import { query } from "../../support/servers/postgres.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  await query(server.deps.databaseUrl, "insert into settings values ('approval people', '1')");
});
afterAll(() => server.close());

const today = () => new Date().toISOString().slice(0, 10);

/** A settled payout of INR 100.00 with these reported fees, the last one now. */
async function settledWith(code: string, ...fees: readonly string[]): Promise<string> {
  const { ledger } = server.deps;
  const { id } = await approvedBatch(ledger, [{ code }]);
  await ledger.integrity.verify();
  const [attempt] = await ledger.payout.openAttempts(claimOf(id));
  const move = { payoutId: attempt?.payoutId ?? 0, reason: null, dueInMs: 0, actor: "w" };
  const seq = attempt?.seq ?? 0;
  await ledger.payout.move({ ...move, seq, from: "submitting", event: "accept", evidence: null });
  for (const [place, text] of fees.entries()) {
    const minor = BigInt(text.replace(".", ""));
    const facts = { answer: "found", state: "completed", fee: text };
    await ledger.payout.move({
      ...move,
      seq: seq + 1 + Math.min(place, 1),
      from: place === 0 ? "accepted" : "settled",
      event: place === 0 ? "settle" : null,
      fee: { kind: "read", fee: { currency: "INR", minor, minorDigits: 2 } },
      evidence: { kind: "status", attempt: null, facts },
    });
  }
  return id;
}

test("returns the fee of a payout, of its batch and lane, and of the day", async () => {
  const batchId = await settledWith("FEE-1", "1.50", "2.00");
  await settledWith("FEE-2", "0.25");
  const viewer = server.as("viewer");
  const { json: payout } = await viewer.get("/api/payouts/FEE-1");
  expect(payout).toMatchObject({ fee: "2.00", earlier_fee: "1.50", unreadable_fee: null });
  const { json: list } = await viewer.get("/api/payouts?code=FEE-2");
  expect(list.items).toMatchObject([{ fee: "0.25" }]);
  const { json: batch } = await viewer.get(`/api/batches/${batchId}`);
  const total = { currency: "INR", amount: "2.00" };
  expect(batch).toMatchObject({ fees: [total], lanes: [{ fees: [total] }] });
  const { json: daily } = await viewer.get(`/api/fees?from=${today()}&to=${today()}`);
  expect(daily.items).toEqual([
    { day: today(), lane: laneIn("INR"), payouts: 2, currency: "INR", amount: "2.25" },
  ]);
  const { text: report } = await server.as("uploader").get(`/api/batches/${batchId}/report`);
  const [names = "", row = ""] = report.replace("\ufeff", "").split("\n");
  expect(row.split(",")[names.split(",").indexOf("fee")]).toBe("2.00");
});

test.each([
  ["from=2026-11-02&to=2026-11-01", "is before `from`"],
  ["from=2026-01-01&to=2026-12-31", "is more than 92 days after `from`"],
  ["from=yesterday&to=2026-12-31", ""],
])("refuses the period %s", async (period, message) => {
  const { status, json } = await server.as("viewer").get(`/api/fees?${period}`);
  expect(status).toBe(400);
  expect(JSON.stringify(json)).toContain(message);
});
