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
