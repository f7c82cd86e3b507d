import { pipeline, Readable } from "node:stream";
import { stringify } from "csv-stringify";
import { knownColumn } from "#batch/header.ts";
import { reportRows } from "#ledger/batch-rows.ts";
import type { Batch } from "#ledger/batches.ts";
import type { Database } from "#ledger/database.ts";
import type { Sealer } from "#ledger/sealed.ts";

/**
 * The rows that a batch pays, as a file that can be read again: what stood in its cells, under its header.
 *
 * @param codes "new codes": the payouts that come of it are others, so codes of the operator's own are left out.
 */
export async function* rowsAsFile(
  { database, sealer }: { readonly database: Database; readonly sealer: Sealer },
  { id, facts: { header } }: Pick<Batch, "id" | "facts">,
  codes: "codes kept" | "new codes",
): AsyncGenerator<Uint8Array> {
  const isCode = (name: string): boolean => knownColumn(name) === "transaction_code";
  const code = codes === "codes kept" ? -1 : header.findIndex(isCode);
  const records = async function* () {
    yield header;
    for await (const { state, cells } of reportRows(database, sealer, id)) {
      if (state === "rejected") continue;
      yield code === -1 ? cells : cells.with(code, "");
    }
  };
  // Not "pipe": where the database goes away, whoever reads has to hear of it, and not the process.
  const text = pipeline(Readable.from(records()), stringify(), () => {});
  for await (const piece of text) yield Buffer.from(piece as Uint8Array);
}
