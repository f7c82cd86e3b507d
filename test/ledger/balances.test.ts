import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { accountsOf, keepBalance, type Lane, mayAskBalance } from "#ledger/balances.ts";
import { approvedBatch, laneIn, openTestLedger, type TestLedger } from "../support/ledger.ts";
import { rowsOf } from "../support/payrun.ts";

let lone: TestLedger;
beforeAll(async () => {
  lone = await openTestLedger();
});
afterAll(() => lone.close());

const LANE = { lane: laneIn("INR"), currency: "INR", minorDigits: 2 };
const MINUTE_MS = 60_000;
const accountOf = async (lane: Lane, batchId = "") =>
  (await accountsOf(lone.database, [lane], batchId)).map(([, account]) => account)[0];

test("of two who want to ask in the same minute one may, and the later answer is believed", async () => {
  const { database } = lone;
  const lane = { ...LANE, lane: "M/INR" };
  const at = (minutes: number) => new Date(Date.UTC(2030, 0, 1) + minutes * MINUTE_MS);
  const may = await Promise.all([1, 2, 3].map(() => mayAskBalance(database, "M/INR", at(0))));
  expect(may.filter(Boolean)).toHaveLength(1);
  expect(await mayAskBalance(database, "M/INR", new Date(at(1).getTime() - 1))).toBe(false);
  expect(await mayAskBalance(database, "M/INR", at(1))).toBe(true);
  const told = (minutes: number, minor: bigint) =>
    keepBalance(database, "M/INR", { askedAt: at(minutes), minor, minorDigits: 2 });
  await told(1, 500n);
  await told(0, 900n);
  await keepBalance(database, "M/INR", { problem: "silence" });
  expect(await accountOf(lane)).toMatchObject({
    balance: { minor: 500n },
    toldAtMs: at(1).getTime(),
    problem: "silence",
  });
  // What is kept in another unit is not read in this one.
  expect((await accountOf({ ...lane, minorDigits: 3 }))?.balance).toBeNull();
});

test("an amount is reserved from the approval until a balance was told that it is out of", async () => {
  const { database, ledger } = lone;
  const batch = await approvedBatch(ledger, rowsOf(2));
  const reserved = async (batchId = "") => (await accountOf(LANE, batchId))?.reserved.minor;
  const put = async (state: string, ended = false) => {
    await sql`update payouts set state = ${state}, updated_at = now() where batch_id = ${batch.id}`.execute(
      database,
    );
    const finished = ended ? new Date() : null;
    await sql`update batches set state = ${ended ? "finished" : "approved"}, finished_at = ${finished}
      where id = ${batch.id}`.execute(database);
    return reserved();
  };
  for (const state of ["approved", "submitting", "in_doubt", "accepted", "held"]) {
    expect([state, await put(state)]).toEqual([state, 20_000n]);
  }
  expect(await put("held", true)).toBe(20_000n);
  // Each lane has its own.
  const lanes = [LANE, { lane: "M/JPY", currency: "JPY", minorDigits: 0 }];
  const all = (await accountsOf(database, lanes)).map(([, { reserved: of }]) => of.minor);
  expect(all).toEqual([20_000n, 0n]);
  expect(await reserved(batch.id)).toBe(0n);
  expect(await put("declined")).toBe(0n);

  await mayAskBalance(database, LANE.lane, new Date(0));
  const tell = (atMs: number) =>
    keepBalance(database, LANE.lane, { askedAt: new Date(atMs), minor: 1n, minorDigits: 2 });
  await tell(Date.now());
  expect(await put("settled", true)).toBe(20_000n);
  await tell(Date.now() + 6 * MINUTE_MS);
  expect(await reserved()).toBe(0n);
});
