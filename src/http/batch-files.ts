import { pipeline, Readable } from "node:stream";
import { stringify } from "csv-stringify";
import type { FastifyInstance, FastifyReply } from "fastify";
import writeWorkbook from "write-excel-file/node";
import { coverCells } from "#batch/cover.ts";
import { rejectRecords } from "#batch/rejects.ts";
import { guideOf, templateRows } from "#batch/template.ts";
import { reportRecords } from "#flows/report.ts";
import { found, maySeeAccounts, tellAudit } from "#http/batches.ts";
import type { Desk } from "#http/desk.ts";
import { Problem } from "#http/problems.ts";
import { route } from "#http/routes.ts";
import { rejectedRows, type ReportRow, reportRows } from "#ledger/batch-rows.ts";

type Format = "csv" | "xlsx";
type Records = AsyncIterable<readonly string[]> | Iterable<readonly string[]>;

/** What is downloaded: rejected rows, reports, templates. */
export function batchFileRoutes(app: FastifyInstance, desk: Desk): void {
  const { database, sealer, rows } = desk;

  route(app, desk, "GET /api/batches/:id/rejects", async ({ params, query, person, reply }) => {
    const batch = await found(desk, params.id);
    if (!(await maySeeAccounts(desk, person, batch))) {
      // Covered rows could not be repaired and sent back.
      const detail =
        "Rejected rows go to whoever brought the batch, and to those who may see accounts.";
      throw new Problem("forbidden", { detail });
    }
    await tellAudit(desk, person, "download_rejects", batch.id, { format: query.format });
    const { header, delimiter } = batch.facts;
    const records = rejectRecords(header);
    async function* lines() {
      yield records.header;
      for await (const row of rejectedRows(database, sealer, batch.id)) yield records.of(row);
    }
    return sendFile(reply, `${batch.id}-rejects`, query.format, lines(), delimiter);
  });

  route(app, desk, "GET /api/batches/:id/report", async ({ params, query, person, reply }) => {
    const batch = await found(desk, params.id);
    const { header, delimiter } = batch.facts;
    const isFull = await maySeeAccounts(desk, person, batch);
    const facts = { format: query.format, accounts: isFull ? "in full" : "covered" };
    await tellAudit(desk, person, "download_report", batch.id, facts);
    const all = reportRows(database, sealer, batch.id);
    const shown = isFull ? all : covered(header, all);
    const records = reportRecords(header, shown);
    return sendFile(reply, `${batch.id}-report`, query.format, records, delimiter);
  });

  route(app, desk, "GET /api/templates", async () => ({
    items: payable().flatMap((currency) => {
      const guide = guideOf(currency, rows);
      return guide ? [{ currency, columns: guide.map(({ column }) => column) }] : [];
    }),
  }));

  route(app, desk, "GET /api/templates/:currency", async ({ params, query, reply }) => {
    const { currency } = params;
    const records = templateRows(currency, guide(currency));
    return sendFile(reply, `payouts-${currency}`, query.format, records, ",");
  });

  route(app, desk, "GET /api/templates/:currency/guide", async ({ params: { currency } }) => ({
    currency,
    columns: [...guide(currency)],
  }));

  const payable = (): string[] => [...(rows.currencies ?? [])].toSorted();
  const guide = (currency: string) => {
    const columns = payable().includes(currency) ? guideOf(currency, rows) : null;
    if (!columns) throw new Problem("not_found", { detail: `${currency} cannot be paid here.` });
    return columns;
  };
}

async function* covered(
  header: readonly string[],
  rows: AsyncIterable<ReportRow>,
): AsyncGenerator<ReportRow> {
  for await (const row of rows) {
    const cells = coverCells(header, row.cells, row.state === "rejected");
    yield { ...row, cells };
  }
}

const TYPES: Readonly<Record<Format, string>> = {
  csv: "text/csv; charset=utf-8",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
};
/** A workbook is made in memory; a longer file comes as CSV, which is not. */
const WORKBOOK_ROWS_MAX = 50_000;

async function sendFile(
  reply: FastifyReply,
  name: string,
  format: Format,
  records: Records,
  delimiter: string,
): Promise<FastifyReply> {
  // Before the headers: a workbook may still be refused.
  const content = format === "csv" ? csvOf(records, delimiter) : await workbookOf(records);
  return reply
    .type(TYPES[format])
    .header("content-disposition", `attachment; filename="${name}.${format}"`)
    .send(content);
}

/** With a mark at its start: without it a spreadsheet takes UTF-8 for something else. */
const csvOf = (records: Records, delimiter: string): Readable =>
  // An error ends the answer in the middle, and its reader sees that it is not whole.
  pipeline(Readable.from(records), stringify({ delimiter, bom: true }), () => {});

/** Every cell as text, so that no zero is lost. */
async function workbookOf(records: Records): Promise<Buffer> {
  const rows: { value: string; type: StringConstructor; format: string }[][] = [];
  for await (const record of records) {
    if (rows.length > WORKBOOK_ROWS_MAX) {
      const detail = `More than ${WORKBOOK_ROWS_MAX} rows come as CSV only.`;
      throw new Problem("too_large", { detail });
    }
    rows.push(record.map((value) => ({ value, type: String, format: "@" })));
  }
  return writeWorkbook(rows).toBuffer();
}
