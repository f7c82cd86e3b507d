import { afterEach, beforeEach, expect, test } from "vitest";
import { retryCodeAfter } from "#base/ids.ts";
import { createRetryBatch, type RetryOrder } from "#flows/payout/retry-batch.ts";
import { refusalText } from "#flows/payout/retry-refusal-text.ts";
import type { RowEdit } from "#flows/payout/retry-rows.ts";
import { DEFAULT_ROW_SETTINGS } from "#intake/row-settings.ts";
import { findPossibleDuplicates } from "#ledger/approval/possible-duplicates.ts";
import { comparisonDocument } from "#views/approval/comparison.ts";
import { retryChanges } from "#views/approval/retry-changes.ts";
import { retryBatchDocument } from "#views/payout/retry-batch.ts";
import {
  approvedBatch,
  claimOf,
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

const FIRST = 2;

async function declined(reason: string, count = 2): Promise<string> {
  const { id } = await approvedBatch(open.ledger, rowsOf(count));
  await declineAll(open.ledger, id, reason);
  return id;
}
const retry = (batchId: string, order: Partial<RetryOrder> = {}) =>
  createRetryBatch(
    { batchId, actor: "maker", ...order },
    { ledger: open.ledger, keyring: TEST_KEYRING, rows: DEFAULT_ROW_SETTINGS },
  );
const edit = (column: "ifsc_code" | "account_name", text: string, line = FIRST) => ({
  edits: new Map([[line, new Map([[column, text]])]]),
});

test("I1 never retries a payout with an invalid IFSC unchanged, whatever reason is given", async () => {
  const id = await declined("refused: invalid IFSC");
  const reason = "the beneficiary confirmed it";
  const named = { ok: false, error: { kind: "needs_new_details", lines: [FIRST] } };
  expect(await retry(id, { reason, lines: [FIRST] })).toMatchObject(named);
  const both = { error: { kind: "needs_new_details", lines: [FIRST, FIRST + 1] } };
  expect(await retry(id, { reason, causes: ["refused: invalid IFSC"] })).toMatchObject(both);
  const all = await retry(id, { reason });
  expect(all).toMatchObject({ error: { kind: "needs_new_details" } });
  const refusal = refusalText(id, { kind: "needs_new_details", lines: [] });
  expect(refusal).toContain("never retried unchanged");
  expect(await open.ledger.payout.retryBatchesOf(id)).toEqual([]);
});

test("accepts no edit that leaves the refused IFSC as it was", async () => {
  const id = await declined("refused: invalid IFSC");
  const error = { kind: "needs_new_details", lines: [FIRST] };
  expect(await retry(id, edit("account_name", "Other Name"))).toMatchObject({ error });
  expect(await retry(id, edit("ifsc_code", "HDFC0000001"))).toMatchObject({ error });
});

test("validates edited details by the rules for rows", async () => {
  const id = await declined("refused: invalid IFSC");
  const found = await retry(id, edit("ifsc_code", "HDFC1"));
  if (found.ok || found.error.kind !== "invalid_edits") throw new Error("it was accepted");
  expect(found.error.problems[0]).toMatchObject({ line: FIRST, column: "ifsc_code" });
  expect(await retry(id, edit("ifsc_code", "ICIC0000002", 99))).toMatchObject({
    error: { kind: "invalid_edits" },
  });
});

test("refuses a bank code with the name of another bank, and accepts the code's own bank", async () => {
  const row = { currency: "IDR", amount: "150000" } as const;
  const { id } = await approvedBatch(open.ledger, [row]);
  await declineAll(open.ledger, id, "refused: bank not found", "IDR");
  const bank = (code: string, name: string) =>
    retry(id, {
      edits: new Map([
        [
          FIRST,
          new Map([
            ["bank_code", code],
            ["bank_name", name],
          ] as const),
        ],
      ]),
    });
  const two = await bank("BCA", "Bank Mandiri");
  if (two.ok || two.error.kind !== "invalid_edits") throw new Error("it was accepted");
  expect(two.error.problems).toMatchObject([
    { code: "bank_name_of_other", severity: "error", column: "bank_code", line: FIRST },
  ]);
  expect(await open.ledger.payout.retryBatchesOf(id)).toEqual([]);
  expect(await bank("BCA", "Bank Central Asia")).toMatchObject({ ok: true });
});

test("retries edited details under the following code, and shows each change before and after", async () => {
  const id = await declined("refused: invalid IFSC");
  const [first] = await open.ledger.payout.declinedRows({ batchId: id, after: 0, sizeMax: 1 });
  const made = await retry(id, edit("ifsc_code", "ICIC0000002"));
  if (!made.ok) throw new Error(JSON.stringify(made.error));
  const { batch, edited } = made.value;
  expect([batch.rows, edited]).toEqual([1, 1]);
  expect(await retryChanges(open.database, open.sealer, batch.id)).toMatchObject([
    {
      code: retryCodeAfter(first?.lastCode ?? ""),
      declined_code: first?.order.transactionCode,
      changes: [{ column: "ifsc_code", before: "HDFC0000001", after: "ICIC0000002" }],
    },
  ]);
  // The other payout of the batch stays declined, and the same one is not retried twice.
  expect((await retryBatchDocument(open.database, id))?.payable.count).toBe(1);
  expect(await retry(id, edit("ifsc_code", "ICIC0000003"))).toMatchObject({ ok: false });
  expect(await open.ledger.payout.openAttempts(claimOf(batch.id))).toEqual([]);
});

test("flags new bank details of a retry, and compares it with no earlier batch", async () => {
  const id = await declined("refused: invalid IFSC");
  const made = await retry(id, {
    edits: new Map<number, RowEdit>([
      [FIRST, new Map([["ifsc_code", "ICIC0000002"]])],
      [FIRST + 1, new Map([["ifsc_code", "HDFC0000002"]])],
    ]),
  });
  if (!made.ok) throw new Error(JSON.stringify(made.error));
  const { id: retryId } = made.value.batch;
  const { flags, rowIds } = await findPossibleDuplicates(open.database, open.sealer, retryId);
  expect(flags.map(({ check, line, count }) => [check, line, count])).toEqual([
    ["new_bank_details", 2, 2],
    ["new_bank_details", 3, 2],
  ]);
  expect(rowIds).toHaveLength(2);
  const { document } = await comparisonDocument(open.database, open.sealer, retryId, null);
  expect(document).toEqual({ against: null, is_retry: true, totals: [], parts: [] });
});

test("flags other changed values of a retry apart from its bank details", async () => {
  const id = await declined("failed_at_gateway", 1);
  const made = await retry(id, {
    edits: new Map<number, RowEdit>([[FIRST, new Map([["transaction_amount", "90.00"]])]]),
  });
  if (!made.ok) throw new Error(JSON.stringify(made.error));
  const { flags } = await findPossibleDuplicates(open.database, open.sealer, made.value.batch.id);
  expect(flags.map(({ check }) => check)).toEqual(["new_details"]);
  expect(made.value.batch.fileName).toMatch(/^Retry of /);
});

test("retries a payout without a known cause unchanged only with a reason, which is shown", async () => {
  const id = await declined("failed_at_gateway");
  const error = { kind: "needs_reason", lines: [FIRST, FIRST + 1] };
  expect(await retry(id)).toMatchObject({ ok: false, error });
  const made = await retry(id, { reason: "the bank was closed" });
  if (!made.ok) throw new Error(JSON.stringify(made.error));
  const document = await retryBatchDocument(open.database, made.value.batch.id);
  expect(document?.of).toMatchObject({ batch_id: id, unchanged_reason: "the bank was closed" });
});

test("groups the declined payouts by cause and by how they may be retried", async () => {
  const id = await declined("refused: invalid IFSC");
  expect((await retryBatchDocument(open.database, id))?.causes).toMatchObject([
    { reason: "refused: invalid IFSC", retry: "new_details", count: 2 },
  ]);
});
