import { Readable } from "node:stream";
import type { FastifyInstance } from "fastify";
import { copyRecords, hasFormulaCell } from "#intake/copy-guard.ts";
import { maskCells } from "#intake/masking.ts";
import { rejectRecords } from "#intake/rejects-file.ts";
import { reportLines, reportRecords } from "#flows/intake/report.ts";
import { maySeeAccounts, recordAccountView } from "#http/intake/account-access.ts";
import { findBatchOrThrow } from "#views/intake/batch.ts";
import type { ServerDeps } from "#views/deps.ts";
import { Problem } from "#api/app/problems.ts";
import { route } from "#http/server/routes.ts";
import { sendFile } from "#http/server/send-file.ts";
import { findArchivePlaces } from "#ledger/integrity/archive/registry.ts";
import { isUnpaid, rejectedRows, type ReportRow, reportRows } from "#ledger/intake/batch-rows.ts";

/** Registers the routes for downloads of a batch: rejected rows, report, copy. */
export function batchFileRoutes(app: FastifyInstance, deps: ServerDeps): void {
  const { database, sealer } = deps;

  route(app, deps, "GET /api/batches/:id/rejects", async ({ params, query, person, reply }) => {
    const batch = await findBatchOrThrow(deps, params.id);
    if (!(await maySeeAccounts(deps, person, batch))) {
      // Rows with masked accounts could not be corrected and uploaded again.
      const detail =
        "Only the uploader and users with the reveal permission may download rejected rows.";
      throw new Problem("forbidden", { detail });
    }
    await recordAccountView(deps, person, "download_rejects", batch.id, { format: query.format });
    const { header, delimiter } = batch.facts;
    const records = rejectRecords(header);
    async function* lines() {
      yield records.header;
      for await (const row of rejectedRows(database, sealer, batch.id)) yield records.of(row);
    }
    return sendFile(reply, `${batch.id}-rejects`, query.format, lines(), delimiter);
  });

  route(app, deps, "GET /api/batches/:id/report", async ({ params, query, person, reply }) => {
    const batch = await findBatchOrThrow(deps, params.id);
    const { header, delimiter } = batch.facts;
    const isFull = await maySeeAccounts(deps, person, batch);
    const facts = { format: query.format, accounts: isFull ? "in full" : "masked" };
    await recordAccountView(deps, person, "download_report", batch.id, facts);
    const all = reportRows(database, sealer, batch.id);
    const shown = isFull ? all : maskedRows(header, all);
    if (query.format === "jsonl") {
      return reply.type("application/jsonl").send(Readable.from(reportLines(header, shown)));
    }
    const records = reportRecords(header, shown);
    return sendFile(reply, `${batch.id}-report`, query.format, records, delimiter);
  });

  route(app, deps, "GET /api/batches/:id/copy", async ({ params, query, person, reply }) => {
    const batch = await findBatchOrThrow(deps, params.id);
    if (!(await maySeeAccounts(deps, person, batch))) {
      // Masked accounts are of no use in a copy, and the file might be mistaken for a complete one.
      const detail = "Only the uploader and users with the reveal permission may download a copy.";
      throw new Problem("forbidden", { detail });
    }
    const [archive] = await findArchivePlaces(database, { batchId: batch.id });
    if (archive) {
      const detail = `The rows are in the archive file ${archive.fileName}. Restore it first: payrun archive restore FILE`;
      throw new Problem("wrong_state", { detail });
    }
    const copy = copyRecords(batch.facts.header);
    async function* records() {
      yield copy.header;
      for await (const { state, cells } of reportRows(database, sealer, batch.id)) {
        if (!isUnpaid(state)) yield copy.of(cells);
      }
    }
    if (query.format === "csv") await refuseFormulas(records());
    await recordAccountView(deps, person, "download_copy", batch.id, { format: query.format });
    const name = `${batch.id}-copy`;
    return sendFile(reply, name, query.format, records(), batch.facts.delimiter);
  });
}

/**
 * @throws Problem if the records cannot be written as a CSV file that is safe to open and reads
 * back unchanged.
 */
async function refuseFormulas(records: AsyncIterable<readonly string[]>): Promise<void> {
  for await (const record of records) {
    if (!hasFormulaCell(record)) continue;
    const detail =
      "A cell starts with a character that spreadsheet programs treat as the start of a formula. Download a workbook instead, which stores every cell as text.";
    throw new Problem("workbook_only", { detail });
  }
}

async function* maskedRows(
  header: readonly string[],
  rows: AsyncIterable<ReportRow>,
): AsyncGenerator<ReportRow> {
  for await (const row of rows) {
    const cells = maskCells(header, row.cells, isUnpaid(row.state));
    yield { ...row, cells };
  }
}
