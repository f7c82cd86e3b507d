import { afterAll, beforeAll, expect, test } from "vitest";
import { type BalanceDeps, queryWaitingBalances } from "#flows/approval/query-balance.ts";
import { readPayoutAnswer } from "#gateway/payout-answers.ts";
import { flowDeps, scriptedGateway } from "../../../support/flow.ts";
import {
  approvedBatch,
  claimOf,
  laneIn,
  openTestLedger,
  type TestLedger,
} from "../../../support/ledger.ts";
import { rowsOf } from "../../../support/servers/payrun.ts";
import { query } from "../../../support/servers/postgres.ts";
import type { LaneStop } from "#payout/circuit-breakers.ts";

let open: TestLedger;
beforeAll(async () => {
  open = await openTestLedger();
});
afterAll(() => open.close());

const INR = laneIn("INR");

test("F59 probes a lane without money with one payout only when the reported balance may cover it", async () => {
  const { ledger, url } = open;
  const { id } = await approvedBatch(ledger, rowsOf(2));
  const body = '{"message":"[WD] Insufficient Balance!, error code 119"}';
  const { outcome } = readPayoutAnswer({ status: 200, body, dateOffsetMs: null });
  const { stop } = outcome as { readonly stop: LaneStop };
  await ledger.payout.stopLane(INR, stop);
  expect(await ledger.payout.stoppedLanes()).toMatchObject([{ breaker: "balance", needs: "wait" }]);

  const asked: string[] = [];
  let balance = "99.99";
  const { deps } = flowDeps(ledger, scriptedGateway());
  const gateway = {
    ...deps.gateway,
    balance: async (currency: string) => {
      asked.push(currency);
      const told = { currency, balance, frozen: null, available: null };
      return { answer: { kind: "told" as const, balance: told }, evidence: {} };
    },
  } as unknown as BalanceDeps["gateway"];
  const watch = (aheadMs = 0) => {
    const clock = { ...deps.clock, nowMs: () => Date.now() + aheadMs };
    return queryWaitingBalances({ ...deps, clock, gateway, ledger });
  };
  const later = (minutes: number) =>
    query(
      url,
      `update payrun.lanes set retry_at = now();
      update payrun.lane_balances set queried_at = queried_at - interval '${minutes} minutes',
        reported_at = reported_at - interval '${minutes} minutes'`,
    );
  const tried = async () =>
    (await ledger.payout.openAttempts(claimOf(id))).map(({ isProbe }) => isProbe);

  // A process whose clock is ahead hides nothing reported to others later.
  await watch(3_600_000);
  await watch();
  expect(asked).toEqual(["INR"]);
  await later(0);
  expect(await tried()).toEqual([]);

  balance = "100.00";
  await later(1);
  await watch();
  await later(0);
  expect(await tried()).toEqual([true]);
  expect(asked).toEqual(["INR", "INR"]);
});

test("does not hold payouts back for an old balance or an open lane, and does not query it", async () => {
  const { ledger, url } = open;
  const { id } = await approvedBatch(ledger, [{ reference: "another file" }]);
  await query(
    url,
    `update payrun.lane_balances set amount_minor = 0, reported_at = now() - interval '4 minutes';
    update payrun.lanes set retry_at = now()`,
  );
  expect(await ledger.payout.openAttempts(claimOf(id))).toMatchObject([{ isProbe: true }]);
});
