/** The sums of a list of more payouts than one request reads. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestServer, type TestServer } from "../../support/dashboard/server.ts";
import { approvedBatch } from "../../support/ledger.ts";
import { rowsOf } from "../../support/servers/payrun.ts";
import { force } from "../../support/servers/postgres.ts";

const MANY = 250_000;

let server: TestServer;
let batchId: string;

/** The stored counts of a batch whose payouts this test does not need. */
const storeCounts = (state: string, payouts: number) =>
  force(
    server.deps.databaseUrl,
    `insert into payout_counts (batch_id, lane, currency, minor_digits, state, fee_digits, writer,
       payouts, amount_minor, fee_minor)
     values ('BLARGE', 'M1/IDR', 'IDR', 2, $1, -1, 0, $2, 0, 0)`,
    [state, payouts],
  );

beforeAll(async () => {
  server = await startTestServer({}, ["viewer"]);
  const rows = rowsOf(3, () => ({ amount: "75.00" }));
  ({ id: batchId } = await approvedBatch(server.deps.ledger, rows));
  await force(
    server.deps.databaseUrl,
    "update payouts set state = 'declined', reason = 'failed_at_gateway' where batch_id = $1 and line = 2",
    [batchId],
  );
  await storeCounts("settled", MANY);
});
afterAll(() => server.close());

const summary = async (query: string) =>
  (await server.as("viewer").get(`/api/payout-summary?${query}`)).json;

test("has the number of payouts in each state, although their sum is not known", async () => {
  expect(await summary("drafts=none")).toEqual({
    blocked: 0,
    count: null,
    count_max: 100_000,
    totals: [],
    retried: 0,
    states: [
      { state: "approved", payouts: 2 },
      { state: "declined", payouts: 1 },
      { state: "settled", payouts: MANY },
    ],
  });
  expect(await summary("currency=IDR")).toMatchObject({
    count: null,
    states: [{ state: "settled", payouts: MANY }],
  });
});

test("sums the payouts in the chosen states, if there are few", async () => {
  const found = await summary("state=declined");
  expect(found).toMatchObject({
    count: 1,
    totals: [{ currency: "INR", amount: "75.00", payouts: 1 }],
  });
  expect(found.states).toHaveLength(3);
  expect(await summary(`batch=${batchId}`)).toMatchObject({
    count: 3,
    states: [
      { state: "approved", payouts: 2 },
      { state: "declined", payouts: 1 },
    ],
  });
});
