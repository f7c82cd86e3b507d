import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fundsFor } from "#approval/funds.ts";
import {
  findLaneAccounts,
  storeBalance,
  type LaneCurrency,
  claimBalanceQuery,
} from "#ledger/payout/lane/balances.ts";
import { headroomDocument } from "#views/approval/headroom.ts";
import { approvedBatch, laneIn, openTestLedger, type TestLedger } from "../../../support/ledger.ts";
import { rowsOf } from "../../../support/servers/payrun.ts";
import { force } from "../../../support/servers/postgres.ts";

let lone: TestLedger;
beforeAll(async () => {
  lone = await openTestLedger();
});
afterAll(() => lone.close());

const LANE = { lane: laneIn("INR"), currency: "INR", minorDigits: 2 };
const MINUTE_MS = 60_000;
const accountOf = async (lane: LaneCurrency, batchId = "") =>
  (await findLaneAccounts(lone.database, [lane], batchId)).map(([, account]) => account)[0];

test("lets one of two processes query in the same minute, and trusts the later answer", async () => {
  const { database } = lone;
  const lane = { ...LANE, lane: "M/INR" };
  const mayAsk = () => claimBalanceQuery(database, "M/INR");
  const pass = (ms: number) =>
    sql`update lane_balances set queried_at = queried_at - make_interval(secs => ${ms / 1_000})`.execute(
      database,
    );
  const may = await Promise.all([1, 2, 3].map(mayAsk));
  expect(may.filter(Boolean)).toHaveLength(1);
  await pass(MINUTE_MS / 2);
  expect(await mayAsk()).toBeNull();
  await pass(MINUTE_MS / 2);
  const askedAt = (await mayAsk()) ?? new Date(0);
  const told = (laterMs: number, minor: bigint) => {
    const at = new Date(askedAt.getTime() + laterMs);
    return storeBalance(database, "M/INR", { askedAt: at, minor, minorDigits: 2 });
  };
  await told(0, 500n);
  await told(-MINUTE_MS, 900n);
  await storeBalance(database, "M/INR", { problem: "silence" });
  expect(await accountOf(lane)).toMatchObject({
    balance: { minor: 500n },
    reportedAtMs: askedAt.getTime(),
    problem: "silence",
  });
  // A balance stored in another unit is not read in this one.
  expect((await accountOf({ ...lane, minorDigits: 3 }))?.balance).toBeNull();
});

test("ignores a balance stored by a clock ahead when a later one is reported", async () => {
  const { database } = lone;
  const lane = { ...LANE, lane: "M/CNY" };
  const hour = 60 * MINUTE_MS;
  const askedAt = (await claimBalanceQuery(database, lane.lane)) ?? new Date(0);
  const told = (at: Date, minor: bigint) =>
    storeBalance(database, lane.lane, { askedAt: at, minor, minorDigits: 2 });
  await told(new Date(askedAt.getTime() + hour), 900n);
  await told(askedAt, 500n);
  expect(await accountOf(lane)).toMatchObject({
    balance: { minor: 500n },
    reportedAtMs: askedAt.getTime(),
  });
});

test("reserves an amount from the approval until it settles or is declined", async () => {
  const { database, ledger } = lone;
  const batch = await approvedBatch(ledger, rowsOf(2));
  const reserved = async (batchId = "") => (await accountOf(LANE, batchId))?.reserved.minor;
  const put = async (state: string, ended = false) => {
    await force(
      lone.url,
      "update payouts set state = $1, updated_at = now(), settled_at = $3 where batch_id = $2",
      [state, batch.id, state === "settled" ? new Date() : null],
    );
    const finished = ended ? new Date() : null;
    await force(lone.url, "update batches set state = $1, finished_at = $2 where id = $3", [
      ended ? "finished" : "approved",
      finished,
      batch.id,
    ]);
    return reserved();
  };
  for (const state of ["approved", "submitting", "in_doubt", "accepted", "on_hold"]) {
    expect([state, await put(state)]).toEqual([state, 20_000n]);
  }
  expect(await put("on_hold", true)).toBe(20_000n);
  // Each lane has its own.
  const lanes = [LANE, { lane: "M/JPY", currency: "JPY", minorDigits: 0 }];
  const all = (await findLaneAccounts(database, lanes)).map(([, { reserved: of }]) => of.minor);
  expect(all).toEqual([20_000n, 0n]);
  expect(await reserved(batch.id)).toBe(0n);
  expect(await put("declined")).toBe(0n);

  // Without a balance, there is no report after which a payout can have settled.
  expect(await put("settled", true)).toBe(0n);
  expect((await accountOf(LANE))?.settledSince).toBeNull();
});

test("subtracts a settled payout once, until a balance is reported a minute after it settled", async () => {
  const { database, ledger } = lone;
  const lane = { lane: laneIn("THB"), currency: "THB", minorDigits: 2 };
  const batch = await approvedBatch(
    ledger,
    rowsOf(2, () => ({ currency: "THB" })),
  );
  const settle = (count: number) =>
    force(
      lone.url,
      `update payouts set state = 'settled', settled_at = clock_timestamp(), updated_at = now()
       where id in (select id from payouts where batch_id = $1 and state = 'approved' limit $2)`,
      [batch.id, count],
    );
  /** The minute after the settlements has passed. */
  const wait = () =>
    force(lone.url, "update payouts set settled_at = settled_at - interval '61 seconds'");
  const report = async (minor: bigint) => {
    await sql`update lane_balances set queried_at = to_timestamp(0)`.execute(database);
    const askedAt = (await claimBalanceQuery(database, lane.lane)) ?? new Date(0);
    await storeBalance(database, lane.lane, { askedAt, minor, minorDigits: 2 });
  };
  const figures = async (batchId = "") => {
    const account = await accountOf(lane, batchId);
    if (!account) throw new Error("the lane is missing");
    const funds = fundsFor(0n, account, Date.now());
    const free = funds.kind === "unknown" ? null : funds.free.minor;
    return [account.reserved.minor, account.settledSince?.minor ?? null, free];
  };
  await report(100_000n);
  expect(await figures()).toEqual([20_000n, 0n, 80_000n]);
  await settle(1);
  expect(await figures()).toEqual([10_000n, 10_000n, 80_000n]);
  expect(await figures(batch.id)).toEqual([0n, 0n, 100_000n]);
  // The balance lags behind the status: it does not show the payment yet.
  await report(100_000n);
  expect(await figures()).toEqual([10_000n, 10_000n, 80_000n]);
  await report(90_000n);
  expect(await figures()).toEqual([10_000n, 10_000n, 70_000n]);
  await wait();
  await report(90_000n);
  expect(await figures()).toEqual([10_000n, 0n, 80_000n]);
  await settle(1);
  await force(
    lone.url,
    "update batches set state = 'finished', finished_at = now() where id = $1",
    [batch.id],
  );
  expect(await figures()).toEqual([0n, 10_000n, 80_000n]);
  await wait();
  await report(80_000n);
  expect(await figures()).toEqual([0n, 0n, 80_000n]);

  // Settlements since an outdated report are not summed, so their sum is unknown instead of zero.
  await sql`update lane_balances set reported_at = now() - interval '21 minutes'`.execute(database);
  expect(await figures()).toEqual([0n, null, null]);
  const { lanes } = await headroomDocument(database, "user:x", new Date());
  expect(lanes.find((each) => each.lane === lane.lane)).toMatchObject({
    balance: { amount: "800.00" },
    settled_since: null,
    free: null,
  });
});
