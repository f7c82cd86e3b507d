import { afterEach, beforeEach, expect, test } from "vitest";
import { systemClock } from "#base/clock.ts";
import { followDue } from "#flows/payout/follow-payouts.ts";
import { submitDue } from "#flows/payout/submit.ts";
import { roundAt } from "#jobs/submit.ts";
import { findSilentLanes } from "#ledger/operations/overview.ts";
import type { StatusAnswer } from "#payout/outcome.ts";
import { flowDeps, scriptedGateway, type ScriptedGateway } from "../../support/flow.ts";
import { approvedBatch, laneIn, openTestLedger, type TestLedger } from "../../support/ledger.ts";
import { rowsOf } from "../../support/servers/payrun.ts";
import { query } from "../../support/servers/postgres.ts";

let open: TestLedger;
let gateway: ScriptedGateway;
let id: string;
let world: ReturnType<typeof flowDeps>;
const INR = laneIn("INR");
const MINUTE_MS = 60_000;
const SILENCE: StatusAnswer = { kind: "no_answer", code: "http_500", text: "HTTP 500" };

const job = () => ({
  batchId: id,
  lane: INR,
  slot: 0,
  rank: 1,
  round: roundAt(systemClock.nowMs()),
});
const sql = (text: string) => query(open.url, text);
/** Queries everything as if no query had been sent for `minutes`. */
async function askAfter(minutes: number) {
  await sql(`update payouts set due_at = now(), silent_since = silent_since - interval '${minutes} minutes',
    last_sent_at = last_sent_at - interval '${minutes} minutes'`);
  await followDue(job(), world.deps);
}
const silent = (minutes: number, countedMax?: number) =>
  findSilentLanes(open.database, minutes * MINUTE_MS, countedMax);

beforeEach(async () => {
  open = await openTestLedger();
  gateway = scriptedGateway();
  world = flowDeps(open.ledger, gateway);
  ({ id } = await approvedBatch(open.ledger, rowsOf(3)));
  await submitDue(job(), world.deps);
});
afterEach(() => open.close());

test("F57 keeps an accepted payout accepted when queries stay unanswered, and counts it for its lane", async () => {
  gateway.answer = () => SILENCE;
  await askAfter(0);
  expect(await silent(30)).toEqual([]);
  await askAfter(31);
  const [first] = await sql(
    "select transaction_code as code from payout_details order by payout_id",
  );
  expect(await silent(30)).toEqual([
    { lane: INR, count: 3, isMore: false, code: expect.any(String), since: expect.any(Date) },
  ]);
  expect(await silent(32)).toEqual([]);
  await sql(`update payouts set silent_since = silent_since - interval '1 hour' where line = 2`);
  expect(await silent(32)).toMatchObject([{ count: 1, code: first?.["code"] }]);
  expect(await silent(30, 2)).toMatchObject([{ count: 2, isMore: true, code: first?.["code"] }]);
  expect(await sql("select distinct state from payouts")).toEqual([{ state: "accepted" }]);
});

test("F57 ends the silence with the first readable answer, whatever it is", async () => {
  gateway.answer = () => SILENCE;
  await askAfter(0);
  gateway.answer = (transactionCode) => ({
    kind: "found",
    record: {
      transactionCode,
      state: "pending",
      amount: "100.00",
      currency: "INR",
      gatewayNumber: "WD1",
      fee: null,
    },
  });
  await askAfter(31);
  expect(await silent(0)).toEqual([]);

  gateway.answer = () => SILENCE;
  await askAfter(0);
  expect(await silent(0)).toMatchObject([{ lane: INR, count: 3 }]);
  expect(await silent(30)).toEqual([]);
});
