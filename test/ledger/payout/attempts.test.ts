import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { approvedBatch, claimOf, openTestLedger, type TestLedger } from "../../support/ledger.ts";
import { rowsOf } from "../../support/servers/payrun.ts";
import { force, query } from "../../support/servers/postgres.ts";

let open: TestLedger;
beforeEach(async () => {
  open = await openTestLedger();
});
afterEach(() => open.close());

const ask = (text: string) => query(open.url, text);
const batchOf = (count: number) => approvedBatch(open.ledger, rowsOf(count));
const claim = (batchId: string, change = {}) =>
  open.ledger.payout.openAttempts(claimOf(batchId, change));
describe("a claim", () => {
  test("has the start time of its transition, and an attempt that records the observed ledger state", async () => {
    const { id } = await batchOf(1);
    await claim(id);
    expect(
      await ask(`select t.at = p.last_sent_at as began, a.opened_at > t.at as seen
        from payouts p join attempts a on a.payout_id = p.id
        join transitions t on t.payout_id = p.id and t.event = 'send'`),
    ).toEqual([{ began: true, seen: true }]);
  });

  test("I7 detects content that changed after the approval", async () => {
    const { id } = await batchOf(1);
    await force(open.url, "update payouts set amount_minor = amount_minor * 10");
    expect(await claim(id)).toMatchObject([{ intact: false }]);
  });

  test("I7 does not decrypt the details of another payout in its place", async () => {
    const { id } = await batchOf(2);
    await ask("alter table payout_details disable trigger append_only_row");
    await ask(`update payout_details d set sealed = o.sealed from payout_details o
      where d.payout_id = (select min(payout_id) from payout_details) and o.payout_id <> d.payout_id`);
    const attempts = await claim(id);
    expect(attempts.filter(({ intact }) => intact)).toHaveLength(1);
    expect(attempts).toHaveLength(2);
  });
});
