import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Clock, systemClock } from "#base/clock.ts";
import { queryStatus } from "#flows/payout/status-query.ts";
import { submitDue } from "#flows/payout/submit.ts";
import { roundAt } from "#jobs/submit.ts";
import type { StatusAnswer } from "#payout/outcome.ts";
import { runOnce } from "#proof/simulation/run/run.ts";
import { flowDeps, scriptedGateway, type ScriptedGateway, untilDone } from "../../support/flow.ts";
import { approvedBatch, laneIn, openTestLedger, type TestLedger } from "../../support/ledger.ts";
import { rowsOf } from "../../support/servers/payrun.ts";
import { query } from "../../support/servers/postgres.ts";

/** A restored ledger may have lost a payout that the gateway has paid and no longer refuses. */
let open: TestLedger;
let gateway: ScriptedGateway;
let asleepMs: number;
beforeEach(async () => {
  open = await openTestLedger();
  gateway = scriptedGateway();
  asleepMs = 0;
});
afterEach(() => open.close());

const clock: Clock = {
  nowMs: () => systemClock.nowMs() + asleepMs,
  monotonicMs: () => systemClock.monotonicMs() + asleepMs,
  sleep: systemClock.sleep,
};
const order = { reason: "restored", actor: "test" };
const payouts = () =>
  query(open.url, "select state, reason, queried_at is not null as queried from payouts");

async function unfrozen(): Promise<void> {
  const { integrity } = open.ledger;
  await integrity.verify();
  await integrity.freeze(order);
  await integrity.unfreeze({ ...order, epoch: 2 });
  await integrity.verify();
}

async function sendOne(): Promise<{ batchId: string; deps: ReturnType<typeof flowDeps>["deps"] }> {
  const { deps: usual } = flowDeps(open.ledger, gateway, clock);
  // A deferred payout does not become due again during the test.
  const deps = { ...usual, timings: { ...usual.timings, random: () => 1 } };
  const { id: batchId } = await approvedBatch(open.ledger, rowsOf(1));
  await untilDone(() => {
    const round = roundAt(systemClock.nowMs());
    return submitDue({ batchId, lane: laneIn("INR"), slot: 0, rank: 1, round }, deps);
  });
  return { batchId, deps };
}

const found = (code: string): StatusAnswer => ({
  kind: "found",
  record: {
    transactionCode: code,
    state: "completed",
    amount: "100.00",
    currency: "INR",
    gatewayNumber: "WD-1",
    fee: null,
  },
});

describe("F26 after a restore, a payout", () => {
  test("that the gateway shows is not sent, and settles by its record", async () => {
    await unfrozen();
    gateway.answer = found;
    const { batchId, deps } = await sendOne();
    expect(gateway.sent).toEqual([]);
    expect(gateway.queried).toHaveLength(1);
    expect(await payouts()).toMatchObject([
      { state: "in_doubt", reason: expect.stringContaining("duplicate_unexplained") },
    ]);
    const take = { batchId, lane: laneIn("INR"), sizeMax: 1, leaseMs: 60_000 };
    const [question] = await open.ledger.payout.claimStatusQueries(take);
    if (!question) throw new Error("nothing to query");
    await queryStatus(question, deps);
    expect(await payouts()).toMatchObject([
      { state: "settled", reason: expect.stringContaining("duplicate_matched") },
    ]);
  });

  test("that the gateway does not know is queried once and sent", async () => {
    await unfrozen();
    await sendOne();
    expect(gateway.queried).toEqual(gateway.sent.map(({ transactionCode }) => transactionCode));
    expect(await payouts()).toMatchObject([{ state: "accepted" }]);
  });

  test("is not sent while the gateway does not answer the query", async () => {
    await unfrozen();
    gateway.answer = () => ({ kind: "no_answer", code: "000", text: "timeout" });
    await sendOne();
    expect(gateway.sent).toEqual([]);
    expect(await payouts()).toMatchObject([{ state: "approved", queried: false }]);
  });

  test("is not sent when the answer arrives too late, and is not queried again", async () => {
    await unfrozen();
    gateway.answer = () => {
      asleepMs = 3_600_000;
      return { kind: "not_found", text: "" };
    };
    await sendOne();
    expect(gateway.sent).toEqual([]);
    expect(await payouts()).toMatchObject([{ state: "approved", queried: true }]);
  });

  test("of a ledger that was never frozen is sent without a query", async () => {
    await sendOne();
    expect(gateway.queried).toEqual([]);
    expect(gateway.sent).toHaveLength(1);
  });
});

test("I1 simulation: a forgotten payout is sent after the gateway stops refusing its code", async () => {
  expect((await runOnce(5_370, 200, null)).violation).toBeNull();
  const unchecked = await runOnce(5_370, 200, null, (deps) => {
    const { payout } = deps.ledger;
    const openAttempts: typeof payout.openAttempts = async (claim) =>
      (await payout.openAttempts(claim)).map((each) => ({ ...each, mayBeForgotten: false }));
    return { ...deps, ledger: { ...deps.ledger, payout: { ...payout, openAttempts } } };
  });
  expect(unchecked.violation?.invariant).toBe("I1");
});
