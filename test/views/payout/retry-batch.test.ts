import { afterEach, beforeEach, expect, test } from "vitest";
import { createRetryBatch } from "#flows/payout/retry-batch.ts";
import { DEFAULT_ROW_SETTINGS } from "#intake/row-settings.ts";
import { retryBatchDocument } from "#views/payout/retry-batch.ts";
import {
  approvedBatch,
  declineAll,
  openTestLedger,
  TEST_KEYRING,
  type TestLedger,
} from "../../support/ledger.ts";
import { rowsOf } from "../../support/servers/payrun.ts";

let open: TestLedger;
beforeEach(async () => {
  open = await openTestLedger();
});
afterEach(() => open.close());

const shareOf = async (batchId: string) => {
  const document = await retryBatchDocument(open.database, batchId);
  return {
    payable: document?.payable.count,
    left_out: document?.left_out.map(({ why, says, count }) => [why, says, count]),
  };
};

test("counts each payout as retryable, or under the reason why it cannot be retried", async () => {
  const { ledger } = open;
  const { id } = await approvedBatch(ledger, rowsOf(2));
  expect(await shareOf(id)).toEqual({
    payable: 0,
    left_out: [["in_progress", "They are still in progress.", 2]],
  });

  await declineAll(ledger, id);
  expect(await shareOf(id)).toEqual({ payable: 2, left_out: [] });

  const rows = { ...DEFAULT_ROW_SETTINGS, amountLimits: new Map<string, bigint>() };
  const retry = await createRetryBatch(
    { batchId: id, actor: "maker", reason: "the account was confirmed" },
    { ledger, keyring: TEST_KEYRING, rows },
  );
  expect(retry.ok).toBe(true);
  expect(await shareOf(id)).toEqual({
    payable: 0,
    left_out: [["in_retry_batch", "Another batch retries them.", 2]],
  });
});
