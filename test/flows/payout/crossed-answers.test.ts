/** Two status answers about one payout, both requested before either was recorded. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { systemClock } from "#base/clock.ts";
import { proposePayoutResolution } from "#flows/payout/resolve-payout.ts";
import { queryStatus } from "#flows/payout/status-query.ts";
import { submitDue } from "#flows/payout/submit.ts";
import { roundAt } from "#jobs/submit.ts";
import type { StatusRecord } from "#payout/outcome.ts";
import { flowDeps, scriptedGateway, type ScriptedGateway, untilDone } from "../../support/flow.ts";
import { approvedBatch, laneIn, openTestLedger, type TestLedger } from "../../support/ledger.ts";
import { rowsOf } from "../../support/servers/payrun.ts";
import { query } from "../../support/servers/postgres.ts";

let open: TestLedger;
let gateway: ScriptedGateway;
let world: ReturnType<typeof flowDeps>;
beforeEach(async () => {
  open = await openTestLedger();
  gateway = scriptedGateway();
  world = flowDeps(open.ledger, gateway);
});
afterEach(() => open.close());

function reports(state: StatusRecord["state"]): void {
  gateway.answer = (transactionCode) => ({
    kind: "found",
    record: {
      transactionCode,
      state,
      amount: "100.00",
      currency: "INR",
      gatewayNumber: `WD-${transactionCode}`,
      fee: state === "completed" ? "1.00" : "0.00",
    },
  });
}

/** An accepted payout, as both queries see it. */
async function accepted() {
  const { id: batchId } = await approvedBatch(open.ledger, rowsOf(1));
  await untilDone(() => {
    const round = roundAt(systemClock.nowMs());
    return submitDue({ batchId, lane: laneIn("INR"), slot: 0, rank: 1, round }, world.deps);
  });
  const found = await open.ledger.payout.findStatusQuery(gateway.sent[0]?.transactionCode ?? "");
  if (!found) throw new Error("no payout was sent");
  return found;
}
const payout = async () =>
  (await query(open.url, "select state, status_answer, fee_minor from payouts"))[0];

test.each([
  ["completed", "failed", "settled", "returned"],
  ["completed", "pending", "settled", null],
  ["failed", "completed", "on_hold", null],
  ["failed", "failed", "declined", null],
] as const)(
  "records %s first, and decides again about %s: %s",
  async (first, second, state, statusAnswer) => {
    const seen = await accepted();
    reports(first);
    await queryStatus(seen, world.deps);
    reports(second);
    await queryStatus(seen, world.deps);
    expect(await payout()).toMatchObject({ state, status_answer: statusAnswer });
  },
);

test("keeps the fee of the settlement while a return is not confirmed", async () => {
  const seen = await accepted();
  reports("completed");
  await queryStatus(seen, world.deps);
  reports("failed");
  const settled = await open.ledger.payout.findStatusQuery(seen.transactionCode);
  if (!settled) throw new Error("the payout is gone");
  await queryStatus(settled, world.deps);
  expect(await payout()).toMatchObject({ status_answer: "returned", fee_minor: "100" });
});

test("contradicts a manual resolution that was recorded while the answer was on its way", async () => {
  const seen = await accepted();
  const { payoutId, seq, transactionCode: code } = seen;
  const why = { reason: "not_found_at_gateway", actor: "test", evidence: null, dueInMs: 0 };
  await open.ledger.payout.move({ payoutId, seq, from: "accepted", event: "hold", ...why });
  const finding = { arrived: false, evidence: "line 2 of the statement" };
  const deps = { ledger: open.ledger, clock: systemClock };
  expect(await proposePayoutResolution({ code, actor: "cli:asha", finding }, deps)).toEqual({
    ok: true,
    value: true,
  });
  reports("completed");
  await queryStatus(seen, world.deps);
  const [row] = await query(open.url, "select state, reason from payouts");
  expect(row).toEqual({ state: "on_hold", reason: "contradiction: resolved, now completed" });
});
