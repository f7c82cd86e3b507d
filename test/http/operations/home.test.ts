import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { totalsOf } from "#flows/approval/approve.ts";
import { approveAs } from "#flows/approval/record-approval.ts";
import type { Batch } from "#ledger/ledger.ts";
import { eventually as waitFor } from "../../support/servers/eventually.ts";
import { type Caller, startTestServer, type TestServer } from "../../support/dashboard/server.ts";
import { sendForApproval, ingestFile } from "../../support/ledger.ts";
import { fileText, type TestRow } from "../../support/servers/payrun.ts";

let server: TestServer;
let maker: Caller;
let checker: Caller;
beforeAll(async () => {
  server = await startTestServer();
  maker = await server.newUser(["uploader"], "Mina Maker");
  checker = await server.newUser(["approver"], "Chen Checker");
});
afterAll(() => server.close());

async function upload(rows: readonly TestRow[]): Promise<Batch> {
  const { ledger, database } = server.deps;
  const { batch } = await ingestFile(ledger, fileText(rows), `user:${maker.userId}`);
  await sendForApproval(database, batch);
  return batch;
}

describe("the home page", () => {
  test("says that there are no batches until the first upload", async () => {
    const { status, json } = await maker.get("/api/home");
    expect(status).toBe(200);
    expect(json).toMatchObject({
      is_empty: true,
      batches: [],
      recent_amounts: [],
      in_doubt: { count: 0, sums: [], oldest_at: null },
      you: { approve: 0, correct: 0 },
    });
  });

  test("counts what awaits the current user only", async () => {
    const waiting = await upload([{ amount: "12.50" }, { amount: "7.50" }]);
    await upload([{ amount: "12.50" }, { amount: "not an amount" }]);
    const you = async (caller: Caller) => (await caller.get("/api/home")).json.you;
    expect(await you(checker)).toEqual({ approve: 1, correct: 0, alarms: [] });
    expect(await you(maker)).toEqual({ approve: 0, correct: 1, alarms: [] });
    expect(await you(server.as("viewer"))).toEqual({ approve: 0, correct: 0, alarms: [] });
    // No worker runs here, which operators should see.
    expect(await you(server.as("operator"))).toEqual({
      approve: 0,
      correct: 0,
      alarms: ["no worker is running, so payrun is not sending payouts or querying their status"],
    });

    const isIt = ({ batch_id }: { batch_id: string }) => batch_id === waiting.id;
    const shown = await eventually(async () => {
      const { json } = await server.as("viewer").get("/api/home");
      return json.batches.find(isIt);
    });
    expect(shown).toMatchObject({
      file: "test.csv",
      state: "awaiting_approval",
      maker: { name: "Mina Maker" },
      payouts: 2,
      totals: [{ currency: "INR", amount: "20.00" }],
    });
    expect(shown.parts).toContainEqual({ part: "awaiting_approval", count: 2 });
  });

  test("shows where the money of approved batches is, and of no others", async () => {
    const batch = await upload([{ amount: "100.00" }, { currency: "THB", amount: "3.25" }]);
    const { id: batchId, contentDigest } = batch;
    const approval = { batchId, userId: checker.userId, contentDigest, totals: totalsOf(batch) };
    expect(await approveAs(approval, server.deps)).toEqual({ ok: true, value: { missing: 0 } });

    const lately = await eventually(async () => {
      const { json } = await maker.get("/api/home");
      return json.recent_amounts.length > 0 && json.recent_amounts;
    });
    const some = lately.map(
      ({ currency, parts }: { currency: string; parts: { count: number }[] }) => ({
        currency,
        parts: parts.filter(({ count }) => count > 0),
      }),
    );
    expect(some).toEqual([
      { currency: "INR", parts: [{ part: "unsent", count: 1, amount: "100.00" }] },
      { currency: "THB", parts: [{ part: "unsent", count: 1, amount: "3.25" }] },
    ]);
  });
});

/** The page is rendered at most once a second. */
const eventually = <T>(ask: () => Promise<T>) => waitFor("the next version of the page", ask);
