import type { BATCH_API } from "#api/intake/batches.ts";
import type { AnswerOf } from "#api/app/operation.ts";
import { knownColumn } from "#intake/header/column-names.ts";
import { isBeforeApproval } from "#intake/batch/batch-lifecycle.ts";
import { obstaclesOf } from "#flows/approval/request-approval.ts";
import { equalsTotal, looksLikeTotal } from "#intake/batch/total-row.ts";
import { lineOf } from "#views/intake/batch-lines.ts";
import type { ServerDeps } from "#views/deps.ts";
import { problemViewer } from "#views/row-problem.ts";
import { isRetryBatch } from "#ledger/approval/previous-batch.ts";
import { findingsOf, storedAsNumbers } from "#ledger/intake/batch-findings.ts";
import type { Batch } from "#ledger/payout/batches.ts";
import { findCorrections } from "#ledger/intake/correct.ts";
import { findLastRejectedRows } from "#ledger/intake/rejected-rows.ts";
import { readDescription } from "#ledger/intake/batch-description.ts";

type FindingsView = AnswerOf<(typeof BATCH_API)["GET /api/batches/:id/findings"]>;

/** The row with the total is among the last ones. */
const LAST_REJECTED = 20;

/** Returns the last rejected rows that look like totals. */
async function findTotalRows(
  { id, facts }: Batch,
  database: ServerDeps["database"],
  sealer: ServerDeps["sealer"],
): Promise<FindingsView["total_rows"]> {
  const { totals } = await lineOf(database, id);
  const rows = await findLastRejectedRows(database, sealer, id, LAST_REJECTED);
  const style = facts.reading?.amounts ?? "plain";
  // payrun added the currency that the uploader chose for all rows.
  const added =
    facts.reading?.currency === undefined
      ? -1
      : facts.header.findIndex((name) => knownColumn(name) === "currency_code");
  return rows
    .filter(({ cells }) => looksLikeTotal(cells.filter((_, place) => place !== added)))
    .map(({ line, cells }) => ({
      line,
      equals_total: equalsTotal(facts.header, cells, totals, style),
    }));
}

/** Returns the problems in the rows of a batch, and what prevents it from being approved. */
export async function findingsView(
  batch: Batch,
  { database, ledger, sealer }: Pick<ServerDeps, "database" | "ledger" | "sealer">,
): Promise<FindingsView> {
  const findings = await findingsOf(database, sealer, batch.id);
  // Accounts are masked for every user: a person who corrects a row views the full row, and that
  // view is recorded on the audit log.
  const shown = problemViewer(false);
  const { header, encoding, delimiter, notes, reading } = batch.facts;
  const ownNames = new Map(reading?.columns.map(({ name, column }) => [column, name]));
  const { expected } = await readDescription(database, batch.id);
  const mayChange = isBeforeApproval(batch.state);
  const line = await lineOf(database, batch.id);
  return {
    batch: line,
    file: {
      encoding,
      delimiter,
      amounts: reading?.amounts ?? null,
      // JSON has one format. A retry batch is read like its original, but nobody uploaded it.
      amounts_confirmed:
        line.source === "file" &&
        reading?.amountsConfirmed === true &&
        !(await isRetryBatch(database, batch.id)),
      columns: header.map((name) => ({
        name: ownNames.get(name) ?? name,
        column: knownColumn(name) ?? null,
      })),
      notes: notes.map(shown),
    },
    expected: {
      rows: expected.rows,
      sums: Object.entries(expected.sums).map(([currency, amount]) => ({ currency, amount })),
    },
    numbers: mayChange ? await storedAsNumbers(database, batch.id) : [],
    obstacles: mayChange ? await obstaclesOf(ledger, batch, false) : [],
    findings: findings.map(({ count, lines, sentence, example }) => ({
      count,
      lines: [...lines],
      sentence,
      example: shown(example),
    })),
    total_rows: mayChange ? await findTotalRows(batch, database, sealer) : [],
    corrections: await findCorrections(database, batch.id),
  };
}
