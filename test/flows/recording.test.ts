import { expect, test } from "vitest";
import { systemClock } from "#clock.ts";
import { submit } from "#flows/submit.ts";
import { roundAt } from "#jobs/submit.ts";
import { flowDeps, toldGateway } from "../support/flow.ts";
import { eventually } from "../support/eventually.ts";
import { approvedBatch, laneIn, openTestLedger } from "../support/ledger.ts";
import { rowsOf } from "../support/payrun.ts";

test("an answer is waited for until it is on record, also where its lane cannot be steered by it", async () => {
  const open = await openTestLedger();
  const { id } = await approvedBatch(open.ledger, rowsOf(1));
  const away = Promise.withResolvers<void>();
  let isSteered = false;
  const ledger: typeof open.ledger = {
    ...open.ledger,
    noteMark() {
      isSteered = true;
      return Promise.reject(new Error("the database is away"));
    },
    async move(move) {
      await away.promise;
      return open.ledger.move(move);
    },
  };
  const gateway = toldGateway();
  gateway.submit = () => ({ kind: "in_doubt", code: "no_answer", text: "silence" });
  const { deps } = flowDeps(ledger, gateway);
  const job = { batchId: id, lane: laneIn("INR"), slot: 0, rank: 1 };
  const share = submit({ ...job, round: roundAt(systemClock.nowMs()) }, deps);
  await eventually("its lane is to be steered", () => isSteered);
  await systemClock.sleep(50);
  expect(deps.slots.isOnWire).toBe(true);
  away.resolve();
  await share;
  expect(await open.ledger.progressOf(id)).toMatchObject([{ state: "in_doubt" }]);
  await open.close();
});
