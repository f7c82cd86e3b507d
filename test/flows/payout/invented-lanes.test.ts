/**
 * Jobs are hints that anybody with access to Redis can write. A lane is looked up in the ledger,
 * never created from a job.
 */
import { afterEach, beforeEach, expect, test } from "vitest";
import { systemClock } from "#base/clock.ts";
import { followDue } from "#flows/payout/follow-payouts.ts";
import { submitDue } from "#flows/payout/submit.ts";
import { roundAt } from "#jobs/submit.ts";
import { flowDeps, scriptedGateway } from "../../support/flow.ts";
import { approvedBatch, laneIn, openTestLedger, type TestLedger } from "../../support/ledger.ts";
import { rowsOf } from "../../support/servers/payrun.ts";

let open: TestLedger;
beforeEach(async () => {
  open = await openTestLedger();
});
afterEach(() => open.close());

const round = () => roundAt(systemClock.nowMs());
const INVENTED = "Call +1 555 0100 at once/INR";

test("ignores a job with an invented lane: no lane stops and no alarm is raised", async () => {
  const gateway = scriptedGateway();
  const { deps } = flowDeps(open.ledger, gateway);
  const { id } = await approvedBatch(open.ledger, rowsOf(1));
  for (const [batchId, lane] of [
    [id, INVENTED],
    ["B-invented", INVENTED],
    ["B-invented", laneIn("INR")],
    [id, laneIn("JPY")],
  ] as const) {
    const job = { batchId, lane, slot: 0, rank: 1, round: round() };
    expect(await submitDue(job, deps)).toEqual({ kind: "done" });
    expect(await followDue(job, deps)).toEqual({ kind: "done" });
  }
  expect(await open.ledger.payout.stoppedLanes()).toEqual([]);
  expect(gateway.sent).toEqual([]);
});

test("stops the lane of a batch whose merchant was removed, with the reason", async () => {
  const { deps } = flowDeps(open.ledger, scriptedGateway());
  const { id } = await approvedBatch(open.ledger, rowsOf(1));
  const without = { ...deps, keyring: { ...deps.keyring, all: [] } };
  const lane = laneIn("INR");
  await submitDue({ batchId: id, lane, slot: 0, rank: 1, round: round() }, without);
  expect(await open.ledger.payout.stoppedLanes()).toMatchObject([
    { lane, reason: expect.stringContaining("no merchant is configured") },
  ]);
});
