import { afterEach, beforeEach, expect, test } from "vitest";
import { approvedBatch, openTestLedger, type TestLedger } from "../../support/ledger.ts";
import { force, query } from "../../support/servers/postgres.ts";

let open: TestLedger;
beforeEach(async () => {
  open = await openTestLedger();
});
afterEach(() => open.close());

const ask = (text: string) => query(open.url, text);

test.each(["approved", "settled", "declined", "on_hold"])(
  "F70 a callback does not move the status query of a payout that is %s",
  async (state) => {
    await approvedBatch(open.ledger, [{}]);
    await force(
      open.url,
      `update payouts set state = '${state}', due_at = now() + interval '1 hour'`,
    );
    const [payout] = await ask("select id from payouts");
    await open.ledger.payout.makeStatusQueryDue(Number(payout?.["id"]));
    expect(
      await ask("select due_at > now() + interval '50 minutes' as later from payouts"),
    ).toEqual([{ later: true }]);
  },
);
