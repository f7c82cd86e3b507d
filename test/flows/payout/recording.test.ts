import { expect, test } from "vitest";
import { systemClock } from "#base/clock.ts";
import { submitDue } from "#flows/payout/submit.ts";
import { roundAt } from "#jobs/submit.ts";
import { flowDeps, scriptedGateway } from "../../support/flow.ts";
import { eventually } from "../../support/servers/eventually.ts";
import { approvedBatch, laneIn, openTestLedger } from "../../support/ledger.ts";
import { rowsOf } from "../../support/servers/payrun.ts";

test("waits until an answer is recorded, even if its lane cannot be updated", async () => {
  const open = await openTestLedger();
  const { id } = await approvedBatch(open.ledger, rowsOf(1));
  const away = Promise.withResolvers<void>();
  let isSteered = false;
  const ledger: typeof open.ledger = {
    ...open.ledger,
    payout: {
      ...open.ledger.payout,
      recordSendResult() {
        isSteered = true;
        return Promise.reject(new Error("the database is away"));
      },
      async move(move) {
        await away.promise;
        return open.ledger.payout.move(move);
      },
    },
  };
  const gateway = scriptedGateway();
  gateway.submit = () => ({ kind: "in_doubt", code: "no_answer", text: "silence" });
  const { deps } = flowDeps(ledger, gateway);
  const job = { batchId: id, lane: laneIn("INR"), slot: 0, rank: 1 };
  const share = submitDue({ ...job, round: roundAt(systemClock.nowMs()) }, deps);
  await eventually("its lane is to be steered", () => isSteered);
  await systemClock.sleep(50);
  expect(deps.slots.isInFlight).toBe(true);
  away.resolve();
  await share;
  expect(await open.ledger.payout.progressOf(id)).toMatchObject([{ state: "in_doubt" }]);
  await open.close();
});

test("F116 does not resend a payout refused on account of its lane while the lane stops", async () => {
  const open = await openTestLedger();
  const { id } = await approvedBatch(open.ledger, rowsOf(1));
  const slow = Promise.withResolvers<void>();
  const ledger: typeof open.ledger = {
    ...open.ledger,
    payout: {
      ...open.ledger.payout,
      async stopLane(lane, stop) {
        await slow.promise;
        return open.ledger.payout.stopLane(lane, stop);
      },
    },
  };
  const gateway = scriptedGateway();
  const stop = { until: "person", reason: "error code 115: wrong key" } as const;
  gateway.submit = () => ({ kind: "deferred", code: "115", text: "wrong key", stop });
  const { deps } = flowDeps(ledger, gateway);
  const job = { batchId: id, lane: laneIn("INR"), slot: 0, rank: 1 };
  const send = () => submitDue({ ...job, round: roundAt(systemClock.nowMs()) }, deps);
  const first = send();
  await eventually("its refusal is on record", async () => {
    const [progress] = await open.ledger.payout.progressOf(id);
    return progress?.state === "approved" && gateway.sent.length > 0;
  });
  await send();
  slow.resolve();
  await first;
  expect(gateway.sent).toHaveLength(1);
  expect(await open.ledger.payout.stoppedLanes()).toMatchObject([{ needs: "person" }]);
  await open.close();
});
