/** The progress of a batch whose payouts have IDs far apart. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { systemClock } from "#base/clock.ts";
import { approveAt } from "../../support/dashboard/acknowledge.ts";
import { peopleOf } from "../../support/actions/people.ts";
import { startTestServer, type TestServer } from "../../support/dashboard/server.ts";
import { claimOf } from "../../support/ledger.ts";
import { payoutRow, paySingle } from "../../support/actions/single-payouts.ts";
import { force } from "../../support/servers/postgres.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({}, ["viewer"]);
});
afterAll(() => server.close());

test("counts exactly the payouts of a draft that was open while others arrived", async () => {
  const { ledger } = server.deps;
  const maker = await server.newUser(["uploader"]);
  const key = await server.newKey(["read", "upload"], maker);
  const first = (await paySingle(key, payoutRow())).json.batch;
  // As if other batches had taken these IDs.
  await force(
    server.deps.databaseUrl,
    "select setval(pg_get_serial_sequence('payouts', 'id'), (select max(id) + 100001 from payouts))",
  );
  const { batch_id: id } = (await paySingle(key, payoutRow())).json.batch;
  expect(id).toBe(first.batch_id);
  const { steppedUp } = peopleOf(() => server, systemClock);
  const approver = await steppedUp(await server.newUser(["approver"]));
  expect((await key.post(`/api/batches/${id}/request-approval`, {})).status).toBe(200);
  const batch = await ledger.payout.findBatch({ id });
  if (!batch) throw new Error("no batch");
  const approval = {
    content_digest: batch.contentDigest,
    totals: [{ currency: "INR", amount: "20.00" }],
  };
  const approved = await approveAt(approver, `/api/batches/${id}`, approval);
  expect([approved.status, approved.json]).toMatchObject([200, {}]);

  const progress = async () => (await server.as("viewer").get(`/api/batches/${id}/progress`)).json;
  const sent = { points: expect.arrayContaining([expect.objectContaining({ sent: 1 })]) };
  expect(await ledger.payout.openAttempts(claimOf(id, { sizeMax: 1 }))).toHaveLength(1);
  expect(await progress()).toMatchObject({ sampled: 2, ...sent });
  expect(await ledger.payout.openAttempts(claimOf(id))).toHaveLength(1);
  expect((await progress()).points.at(-1)).toMatchObject({ sent: 2, settled: 0 });
});
