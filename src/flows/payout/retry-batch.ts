import { createHash } from "node:crypto";
import { settingsOfBatch } from "#intake/file-interpretation.ts";
import { knownColumn, placesOf } from "#intake/header/column-names.ts";
import { rowReader, type RowVerdict } from "#intake/row.ts";
import type { RowSettings } from "#intake/row-settings.ts";
import { storeRows } from "#flows/intake/store-rows.ts";
import type { Keyring } from "#gateway/wire/keyring.ts";
import { retryCodeAfter, type IdGenerator, randomIds } from "#base/ids.ts";
import type { Batch, PayingLedger } from "#ledger/ledger.ts";
import { isUniqueViolation } from "#ledger/store/database-errors.ts";
import { type Declined, NotRetryable } from "#ledger/payout/retry-batches.ts";
import { payloadText, type PayoutDraft } from "#payout/payout.ts";
import { err, ok, type Result } from "#base/result.ts";

export type RetryBatchRefusal =
  | { readonly kind: "not_found" }
  | { readonly kind: "frozen" }
  /** The batch has no declined payouts. */
  | { readonly kind: "nothing" }
  /**
   * Other batches already retry these payouts, or were created to, as often as is permitted; or
   * another request is creating a retry batch at this moment.
   */
  | { readonly kind: "paid_again"; readonly batchIds: readonly string[] }
  /** No row passes the current checks. */
  | { readonly kind: "no_valid_rows"; readonly why: string };

export interface CreatedRetryBatch {
  readonly batch: Batch;
  /**
   * Number of declined rows that the current checks reject, or read differently than when they were
   * approved.
   */
  readonly leftOut: number;
}

interface RetryBatchDeps {
  readonly ledger: PayingLedger;
  readonly keyring: Keyring;
  readonly rows: RowSettings;
  readonly ids?: IdGenerator;
}

const PAGE = 2_000;

/**
 * Creates a retry batch from the declined payouts of another batch. It is checked and approved like
 * any other batch. Each row gets a code from the previous one (retryCodeAfter), and is sent
 * only as long as every earlier payout is conclusively declined.
 */
export async function createRetryBatch(
  { batchId, actor }: { readonly batchId: string; readonly actor: string },
  deps: RetryBatchDeps,
): Promise<Result<CreatedRetryBatch, RetryBatchRefusal>> {
  const { ledger, ids = randomIds } = deps;
  const parent = await ledger.payout.findBatch({ id: batchId });
  if (!parent) return err({ kind: "not_found" });
  if (await ledger.integrity.verify()) return err({ kind: "frozen" });

  const id = ids.batchId();
  const parents = new Map<number, number>();
  const leftOut: string[] = [];
  const pages = declinedOf(batchId, ledger);
  const first = await pages.next();
  if (first.done) {
    const batchIds = await ledger.payout.retryBatchesOf(batchId);
    return err(batchIds.length > 0 ? { kind: "paid_again", batchIds } : { kind: "nothing" });
  }
  const read = readerFor(parent, settingsOfBatch(deps.rows, parent.facts.reading));
  // A retry batch has no file, so its digest is over its own ID: two of them may have the same rows
  // if the first is cancelled.
  const digest = createHash("sha256").update(`remainder ${id}`).digest("hex");
  const { reading } = parent.facts;
  const batch = {
    id,
    digest,
    fileName: nameOf(parent),
    actor,
    retryOf: { batchId, parents },
    ...(reading && { reading }),
  };
  try {
    await ledger.intake.createBatch(batch, async (writer) => {
      let line = FIRST_LINE;
      let page: IteratorResult<readonly Declined[], undefined> = first;
      for (; !page.done; page = await pages.next()) {
        const rows: RowVerdict[] = [];
        for (const declined of page.value) {
          const row = read(declined, line);
          if (row.kind === "rejected") {
            leftOut.push(row.problems[0]?.message ?? READ_DIFFERENTLY);
            continue;
          }
          parents.set(line, declined.payoutId);
          rows.push(row);
          line += 1;
        }
        await storeRows(rows, writer, { keyring: deps.keyring, looksFor: "own codes" });
      }
      if (parents.size === 0) throw new NoValidRows();
      const { header } = parent.facts;
      return { encoding: "UTF-8", delimiter: ",", header, notes: [], ...(reading && { reading }) };
    });
  } catch (error) {
    if (error instanceof NoValidRows) return err({ kind: "no_valid_rows", why: leftOut[0] ?? "" });
    // Two concurrent requests create the same codes. The first to commit succeeds.
    const isSecond = isUniqueViolation(error, "payout_details_code");
    if (!isSecond && !(error instanceof NotRetryable)) throw error;
    return err({ kind: "paid_again", batchIds: await ledger.payout.retryBatchesOf(batchId) });
  }
  const stored = await ledger.payout.findBatch({ id });
  if (!stored) throw new Error(`batch ${id} is gone`);
  return ok({ batch: stored, leftOut: leftOut.length });
}

/** Rows are numbered as in a file, whose first line is the header. */
const FIRST_LINE = 2;

const READ_DIFFERENTLY =
  "The current rules interpret this row differently than when it was approved.";

class NoValidRows extends Error {}

const nameOf = ({ fileName }: Batch): string => `retry of ${fileName}`.slice(0, 255);

async function* declinedOf(
  batchId: string,
  ledger: PayingLedger,
): AsyncGenerator<readonly Declined[], undefined> {
  for (let after = 0; ; ) {
    const page = await ledger.payout.declinedRows({ batchId, after, sizeMax: PAGE });
    const last = page.at(-1);
    if (!last) return undefined;
    yield page;
    after = last.payoutId;
  }
}

/**
 * Reads a row again by the current rules. A row that these rules read differently than when it was
 * approved is not paid unseen.
 */
function readerFor({ facts }: Batch, settings: RowSettings) {
  const { header } = facts;
  const readRow = rowReader(header, placesOf(header, 1).places, settings);
  const codeAt = header.findIndex((name) => knownColumn(name) === "transaction_code");
  return ({ cells, order, lastCode }: Declined, line: number): RowVerdict => {
    const row = readRow(
      cells.map((cell, place) => (place === codeAt ? "" : cell)),
      line,
    );
    if (row.kind === "rejected") return row;
    const { transactionCode } = order;
    const draft: PayoutDraft = { ...row.draft, transactionCode: retryCodeAfter(lastCode) };
    const isSame =
      payloadText({ ...order, ...sentContent(draft), transactionCode }) === payloadText(order);
    return isSame ? { ...row, draft } : { kind: "rejected", line, cells: row.cells, problems: [] };
  };
}

const sentContent = ({ money, details, payoutCode, callbackUrl }: PayoutDraft) => ({
  money,
  details,
  payoutCode,
  callbackUrl,
});

/** States why no retry batch was created, as text for people. */
export function refusalText(id: string, refusal: RetryBatchRefusal): string {
  switch (refusal.kind) {
    case "not_found":
      return `There is no batch ${id}.`;
    case "frozen":
      return "The ledger is frozen: it may have lost the record of earlier retries.";
    case "nothing":
      return `Batch ${id} has no declined payouts that can be retried.`;
    case "paid_again": {
      const { batchIds } = refusal;
      const where =
        batchIds.length > 0 ? `retry batch ${batchIds.join(", ")}` : "another retry batch";
      return `The declined payouts of batch ${id} are already in ${where}. Each row can be in at most two retry batches, including cancelled ones.`;
    }
    case "no_valid_rows":
      return `No declined row of batch ${id} passes the current checks: ${refusal.why}`;
  }
}
