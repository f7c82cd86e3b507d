import { afterAll, beforeAll, expect, test } from "vitest";
import {
  approvedBatch,
  claimOf,
  laneIn,
  openTestLedger,
  type TestLedger,
} from "../../../support/ledger.ts";
import { rowsOf } from "../../../support/servers/payrun.ts";
import { query } from "../../../support/servers/postgres.ts";

let open: TestLedger;
beforeAll(async () => {
  open = await openTestLedger();
});
afterAll(() => open.close());

const INR = laneIn("INR");

test("lets only a person open a lane after a probe found a problem that a person must fix", async () => {
  const { ledger, url } = open;
  const { id } = await approvedBatch(ledger, rowsOf(3));
  const claim = async () =>
    (await ledger.payout.openAttempts(claimOf(id))).map(({ isProbe }) => isProbe);
  await ledger.payout.stopLane(INR, { until: "wait", reason: "maintenance" });
  await query(
    url,
    "update payrun.lanes set retry_at = now(), updated_at = now() - interval '1 second'",
  );
  expect(await claim()).toEqual([true]);

  // Another request was in flight before the lane stopped, and is answered now.
  expect(await ledger.payout.stopLane(INR, { until: "person", reason: "wrong key" })).toBe(true);
  expect(await ledger.payout.recordProbeResult(INR, true)).toBe(false);
  expect(await ledger.payout.openLanes([INR])).toEqual([]);
  expect(await ledger.payout.stoppedLanes()).toMatchObject([
    { needs: "person", reason: "wrong key" },
  ]);
  expect(await claim()).toEqual([]);

  const by = { actor: "user:ops", reason: "mended" };
  expect(await ledger.payout.openLanes([INR], by)).toEqual([INR]);
  expect(await claim()).toEqual([false, false]);
});
