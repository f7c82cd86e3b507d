import { afterAll, beforeAll, expect, test } from "vitest";
import { findResponseRate } from "#ledger/operations/response-rate.ts";
import { addSingle, ingestFile, openTestLedger, type TestLedger } from "../../support/ledger.ts";
import { fileText } from "../../support/servers/payrun.ts";
import { query } from "../../support/servers/postgres.ts";

let open: TestLedger;
beforeAll(async () => {
  open = await openTestLedger();
});
afterAll(() => open.close());

test("counts the answers of the batch, and of no batch stored between its rows", async () => {
  const draft = await addSingle(open.ledger, { account: "50100000000001" });
  const { batch } = await ingestFile(open.ledger, fileText([{}]));
  await addSingle(open.ledger, { account: "50100000000002" });
  await query(
    open.url,
    `insert into evidence (payout_id, kind, facts)
      select id, 'answer', '{"elapsedMs": 40}' from payouts where batch_id = $1`,
    [batch.id],
  );
  const answered = { answersPerSecond: 1, p95Ms: 40 };
  expect(await findResponseRate(open.database, batch.id)).toEqual(answered);
  expect(await findResponseRate(open.database, draft)).toEqual({
    answersPerSecond: 0,
    p95Ms: null,
  });
});

test("counts requests only, and never more per second than the limits of the lanes allow", async () => {
  const { batch } = await ingestFile(open.ledger, fileText([{ account: "50100000000003" }]));
  const answer = (facts: object, times: number) =>
    query(
      open.url,
      `insert into evidence (payout_id, kind, facts)
        select id, 'answer', $2::jsonb from payouts, generate_series(1, $3) where batch_id = $1`,
      [batch.id, JSON.stringify(facts), times],
    );
  await answer({ httpStatus: null, text: "not sent" }, 5);
  expect(await findResponseRate(open.database, batch.id)).toMatchObject({ answersPerSecond: 0 });
  await answer({ elapsedMs: 40 }, 50);
  const rate = async () => (await findResponseRate(open.database, batch.id)).answersPerSecond;
  expect(await rate()).toBeGreaterThan(25);
  await query(
    open.url,
    "insert into lane_rate_limits (lane, rate) select lane, 25 from batch_lanes where batch_id = $1",
    [batch.id],
  );
  expect(await rate()).toBe(25);
});
