import { afterEach, beforeEach, expect, test } from "vitest";
import { systemClock } from "#base/clock.ts";
import { approve, totalsOf } from "#flows/approval/approve.ts";
import { queryUnsent } from "#flows/payout/query-unsent.ts";
import { createRetryBatch } from "#flows/payout/retry-batch.ts";
import { submitDue } from "#flows/payout/submit.ts";
import { retryCodeAfter } from "#base/ids.ts";
import { DEFAULT_ROW_SETTINGS } from "#intake/row-settings.ts";
import { roundAt } from "#jobs/submit.ts";
import type { StatusAnswer } from "#payout/outcome.ts";
import { flowDeps, scriptedGateway, untilDone } from "../../support/flow.ts";
import {
  approvedBatch,
  laneIn,
  openTestLedger,
  TEST_KEYRING,
  type TestLedger,
} from "../../support/ledger.ts";
import { rowsOf } from "../../support/servers/payrun.ts";
import { query } from "../../support/servers/postgres.ts";

let open: TestLedger;
beforeEach(async () => {
  open = await openTestLedger();
});
afterEach(() => open.close());

test("F26 holds, without sending, a payout that another history cancelled and paid under the next code", async () => {
  const { ledger } = open;
  const gateway = scriptedGateway();
  const deps = { ...flowDeps(ledger, gateway).deps, leaseMs: 100 };
  const send = (batchId: string) =>
    untilDone(() =>
      submitDue(
        { batchId, lane: laneIn("INR"), slot: 0, rank: 1, round: roundAt(systemClock.nowMs()) },
        deps,
      ),
    );
  const { id } = await approvedBatch(ledger, rowsOf(1));
  gateway.submit = () => ({ kind: "declined", code: "121", text: "no such account" });
  await send(id);
  const rows = { ...DEFAULT_ROW_SETTINGS, amountLimits: new Map<string, bigint>() };
  const made = await createRetryBatch(
    { batchId: id, actor: "maker", reason: "the account was confirmed" },
    { ledger, keyring: TEST_KEYRING, rows },
  );
  if (!made.ok) throw new Error(made.error.kind);
  const { batch } = made.value;
  const approval = { actor: "checker", contentDigest: batch.contentDigest };
  await approve(batch.id, { ...approval, totals: totalsOf(batch) }, { ledger });

  const epoch = await ledger.integrity.freeze({ reason: "restored", actor: "test" });
  const [row] = gateway.sent.map(({ transactionCode }) => transactionCode);
  const paid = retryCodeAfter(retryCodeAfter(row ?? ""));
  const shown = (code: string): StatusAnswer =>
    code === paid
      ? {
          kind: "found",
          record: {
            transactionCode: code,
            state: "completed",
            amount: "100.00",
            currency: "INR",
            gatewayNumber: "WD1",
            fee: null,
          },
        }
      : { kind: "not_found", text: "" };
  // The gateway shows an accepted payout late.
  gateway.answer = () => ({ kind: "not_found", text: "" });
  await queryUnsent(deps);
  const unfreeze = { epoch: epoch ?? 0, reason: "asked", actor: "test" };
  expect(await ledger.integrity.unfreeze(unfreeze)).toBe(false);
  gateway.answer = shown;
  await systemClock.sleep(150);
  await queryUnsent(deps);
  expect(await ledger.integrity.unfreeze(unfreeze)).toBe(true);
  gateway.submit = () => ({ kind: "accepted" });
  await send(batch.id);
  expect(gateway.sent).toHaveLength(1);
  expect(await query(open.url, "select state, reason from payouts order by id")).toMatchObject([
    { state: "declined" },
    { state: "on_hold", reason: `paid_again_before_restore: ${paid}` },
  ]);
});
