import { pipeline, Readable } from "node:stream";
import type { LedgerSteps } from "#ledger/ledger.ts";
import { stringify } from "csv-stringify";
import { knownColumn } from "#intake/header/column-names.ts";
import { isUnpaid } from "#ledger/intake/batch-rows.ts";
import type { Batch } from "#ledger/payout/batches.ts";

/**
 * Generates a file from the rows that a batch pays: the original cells under the original header.
 * The file can be read again.
 *
 * @param codes "codes kept": without rows that were cancelled since. "new codes": the file is for
 * other payouts, so the operator's own codes are left out.
 */
export async function* rowsAsFile(
  ledger: LedgerSteps,
  { id, facts: { header } }: Pick<Batch, "id" | "facts">,
  codes: "codes kept" | "new codes",
): AsyncGenerator<Uint8Array> {
  const isCode = (name: string): boolean => knownColumn(name) === "transaction_code";
  const code = codes === "codes kept" ? -1 : header.findIndex(isCode);
  const records = async function* () {
    yield header;
    for await (const { state, cells } of ledger.intake.reportRows(id)) {
      if (isUnpaid(state) || (codes === "codes kept" && state === "cancelled")) continue;
      yield code === -1 ? cells : cells.with(code, "");
    }
  };
  // Not `pipe`: a database failure must reach the reader and must not end the process.
  const text = pipeline(Readable.from(records()), stringify(), () => {});
  for await (const piece of text) yield Buffer.from(piece as Uint8Array);
}
