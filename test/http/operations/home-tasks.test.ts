import { query } from "../../support/servers/postgres.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { totalsOf } from "#flows/approval/approve.ts";
import { approveAs } from "#flows/approval/record-approval.ts";
import type { Batch } from "#ledger/ledger.ts";
import { claimBalanceQuery, storeBalance } from "#ledger/payout/lane/balances.ts";
import { setSendTime } from "#ledger/schedule/send-times.ts";
import { eventually } from "../../support/servers/eventually.ts";
import { type Caller, startTestServer, type TestServer } from "../../support/dashboard/server.ts";
import { claimOf, declineAll, ingestFile, sendForApproval } from "../../support/ledger.ts";
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

const tasks = async (caller: Caller) => (await caller.get("/api/home/tasks")).json;
const figures = async () => (await server.as("viewer").get("/api/home/figures")).json;

const upload = async (rows: readonly TestRow[]): Promise<Batch> =>
  (await ingestFile(server.deps.ledger, fileText(rows), `user:${maker.userId}`)).batch;

async function approved(rows: readonly TestRow[]): Promise<Batch> {
  const batch = await upload(rows);
  const { database } = server.deps;
  await sendForApproval(database, batch);
  const { id: batchId, contentDigest } = batch;
  const approval = { batchId, userId: checker.userId, contentDigest, totals: totalsOf(batch) };
  expect(await approveAs(approval, server.deps)).toMatchObject({ ok: true });
  return batch;
}

test("lists the first steps that the roles of a user allow, until a batch has been approved", async () => {
  const steps = async (caller: Caller) => (await tasks(caller)).first_steps;
  expect(await steps(maker)).toEqual([
    { step: "set_second_factor", done: false },
    { step: "upload", done: false },
  ]);
  expect(await steps(server.as("admin"))).toEqual([
    { step: "invite_approver", done: true },
    { step: "add_channel", done: false },
    { step: "set_second_factor", done: false },
  ]);
  await approved([{ amount: "1.00" }]);
  expect(await steps(maker)).toBeNull();
});

test("lists drafts, corrections and approvals for the users who can act on them", async () => {
  const draft = await upload([{ amount: "12.50" }, { currency: "THB", amount: "7.50" }]);
  const wrong = await upload([{ amount: "3.00" }, { amount: "not an amount" }]);
  const waiting = await upload([{ amount: "4.00" }]);
  await sendForApproval(server.deps.database, waiting);
  expect(await tasks(maker)).toMatchObject({
    draft: {
      count: 1,
      batches: [
        {
          batch_id: draft.id,
          name: "test.csv",
          maker: "Mina Maker",
          payouts: 2,
          sums: [
            { currency: "INR", amount: "12.50" },
            { currency: "THB", amount: "7.50" },
          ],
        },
      ],
    },
    correct: { count: 1, batches: [{ batch_id: wrong.id, payouts: 1, rejected: 1 }] },
    approve: { count: 0, batches: [] },
  });
  const none = { count: 0, batches: [] };
  expect(await tasks(checker)).toMatchObject({
    draft: none,
    correct: none,
    approve: { count: 1, batches: [{ batch_id: waiting.id, maker: "Mina Maker", payouts: 1 }] },
  });
  expect(await tasks(server.as("uploader"))).toMatchObject({ draft: none, approve: none });
});

test("lists declined payouts for the uploader until a retry batch pays them again", async () => {
  const batch = await approved([{ amount: "5.00" }, { amount: "6.00" }]);
  await declineAll(server.deps.ledger, batch.id);
  const declined = { batch_id: batch.id, payouts: 2, sums: [{ currency: "INR", amount: "11.00" }] };
  const retry = async () => (await tasks(maker)).retry;
  expect(await retry()).toMatchObject({ count: 1, batches: [declined] });
  expect((await tasks(server.as("uploader"))).retry.count).toBe(0);
  const listed = async (caller: Caller) =>
    (await caller.get("/api/batches?task=retry")).json.items.map(
      ({ batch_id: id }: { batch_id: string }) => id,
    );
  expect(await listed(maker)).toEqual([batch.id]);
  expect(await listed(server.as("uploader"))).toEqual([]);
  expect((await maker.get("/api/batch-summary?task=retry")).json.count).toBe(1);
  const { databaseUrl } = server.deps;
  const check = (at: string) =>
    query(
      databaseUrl,
      `update payouts set double_payment_check_at = ${at} where batch_id = '${batch.id}' and line = 2`,
    );
  await check("now()");
  expect((await retry()).batches[0]).toMatchObject({ payouts: 1 });
  await check("null");
  await maker.post(`/api/batches/${batch.id}/retry-batch`, { reason: "the bank answered again" });
  expect(await retry()).toEqual({ count: 0, batches: [] });
  expect(await listed(maker)).toEqual([]);
});

test("shows the results of today by currency, and the cover of the balance by lane", async () => {
  const { ledger, database } = server.deps;
  const before = (await figures()).period.settled;
  const batch = await approved([{ amount: "30.00" }]);
  for (const { payoutId, seq } of await ledger.payout.openAttempts(claimOf(batch.id))) {
    const move = { payoutId, reason: null, dueInMs: 0, actor: "test", evidence: null };
    await ledger.payout.move({ ...move, seq, from: "submitting", event: "accept" });
    await ledger.payout.move({ ...move, seq: seq + 1, from: "accepted", event: "settle" });
  }
  const lane = batch.lanes[0]?.lane ?? "";
  await claimBalanceQuery(database, lane);
  await storeBalance(database, lane, { askedAt: new Date(), minor: 6_000n, minorDigits: 2 });
  const shown = await eventually("the next figures", async () => {
    const found = await figures();
    return found.period.settled > before && found.lanes[0].available !== null && found;
  });
  expect(shown.days).toHaveLength(30);
  expect(shown.days.at(-1)).toMatchObject({ settled: before + 1, median_seconds: 1 });
  const inr = shown.currencies.find(({ currency }: { currency: string }) => currency === "INR");
  expect(inr).toMatchObject({ settled: "30.00", payouts: 1, declined: 2, usual: "0.00" });
  expect(inr.days).toHaveLength(8);
  const account = shown.lanes.find((each: { lane: string }) => each.lane === lane);
  expect(account).toMatchObject({ balance: "60.00", currency: "INR" });
  // 30.00 in 30 days is 1.00 per day.
  expect(account.cover_tenths).toBe(Math.max(0, Math.floor(Number(account.available) * 10)));
});

test("lists the same scheduled batches as the calendar, with whether they can be sent", async () => {
  const { database, ledger } = server.deps;
  const zone = "Asia/Kolkata";
  const send = { at: new Date("2098-08-18T03:30:00Z"), local: "2098-08-18T09:00", zone };
  const timed = async (batch: Batch): Promise<string> => {
    const order = { batchId: batch.id, send: { ...send, expiresHours: 24 }, actor: "user:checker" };
    await setSendTime(database, order);
    return batch.id;
  };
  const unapproved = await timed(await upload([{ amount: "5.00" }]));
  const scheduled = await timed(await approved([{ amount: "6.00" }]));
  const paused = await timed(await approved([{ amount: "7.00" }]));
  await ledger.payout.moveBatch({ id: paused, event: "pause", reason: "wait", actor: "user:ops" });
  const expected = new Map([
    [unapproved, "unapproved"],
    [scheduled, "scheduled"],
    [paused, "paused"],
  ]);
  type Item = { batch_id: string; state: string };
  const statesOf = (items: readonly Item[]) =>
    new Map(
      items.filter((one) => expected.has(one.batch_id)).map((one) => [one.batch_id, one.state]),
    );

  expect(statesOf((await tasks(maker)).next_runs)).toEqual(expected);
  const { json } = await maker.get("/api/schedules/month?month=2098-08");
  expect(statesOf(json.days.flatMap((day: { times: Item[] }) => day.times))).toEqual(expected);
});

test("shows the payouts of a stopped lane with its alarm, to operators only", async () => {
  const batch = await approved([{ currency: "THB", amount: "8.00" }]);
  const lane = batch.lanes[0]?.lane ?? "";
  await server.deps.ledger.payout.stopLane(lane, { until: "person", reason: "wrong key" });
  const alarm = await eventually("the alarm", async () =>
    (await tasks(server.as("operator"))).alarms.find(
      ({ code }: { code: string }) => code === "lane_needs_person",
    ),
  );
  expect(alarm).toEqual({
    code: "lane_needs_person",
    says: expect.stringMatching(
      /^1 lane stopped until someone fixes the problem: THB · .+wrong key/,
    ),
    title: "1 lane stopped until someone fixes the problem",
    detail: expect.stringMatching(/^THB · .+wrong key/),
    about: {
      payouts: 1,
      sums: [{ currency: "THB", amount: "8.00" }],
      payouts_filter: { state: "approved", lane },
    },
  });
  expect((await tasks(checker)).alarms).toEqual([]);
});
