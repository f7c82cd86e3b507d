import { sql } from "kysely";
import type { StoredAsNumber } from "#intake/workbook/numeric-accounts.ts";
import type { Problem, ProblemCode, Severity } from "#intake/text/problems.ts";
import type { Database } from "#ledger/store/database.ts";
import { openRejected, openWarned } from "#ledger/store/sealed-rows.ts";
import type { Sealer } from "#ledger/store/sealing.ts";

/** A group of findings that are corrected in one way or reviewed for one reason. */
export interface BatchFinding {
  readonly severity: Severity;
  readonly code: ProblemCode;
  /** Null if the finding is about the row as a whole. */
  readonly column: string | null;
  /** The message, if it holds for one currency only. "" if it is the same for every row. */
  readonly sentence: string;
  readonly count: number;
  /** The first lines with this finding. */
  readonly lines: readonly number[];
  /** The finding as it occurs in the first of these lines. */
  readonly example: Problem;
}

/** Returns everything found in the rows of a batch: errors first, then the largest groups first. */
export async function findingsOf(
  database: Database,
  sealer: Sealer,
  batchId: string,
): Promise<BatchFinding[]> {
  const { rows } = await sql<{
    severity: Severity;
    code: ProblemCode;
    column_name: string;
    sentence: string;
    count: number;
    lines: number[];
  }>`
    select f.severity, f.code, f.column_name, f.sentence, f.count, first.lines
    from batch_findings f cross join lateral (
      select array_agg(line order by line) as lines from (
        select line from row_findings r where r.batch_id = f.batch_id and r.number = f.number
        order by line limit 5) l
    ) first
    where f.batch_id = ${batchId} and f.count > 0 and first.lines is not null
    order by f.severity = 'error' desc, f.count desc, f.number`.execute(database);
  const found = await shownRows(
    database,
    sealer,
    batchId,
    rows.map(({ lines }) => lines[0] ?? 0),
  );
  return rows.flatMap(({ severity, code, column_name, sentence, count, lines }) => {
    const column = column_name || null;
    const example = found
      .get(lines[0] ?? 0)
      ?.problems.find(
        (problem) =>
          problem.code === code &&
          problem.column === column &&
          problem.severity === severity &&
          (sentence === "" || problem.message === sentence),
      );
    return example ? [{ severity, code, column, sentence, count, lines, example }] : [];
  });
}

/** Columns in which a leading zero that a spreadsheet has removed leads to another person. */
const COMPARED_COLUMNS = ["bank_account_number", "bank_code", "branch_code"];

/**
 * Returns the text columns that a workbook stored as numbers, each with its number of valid rows.
 */
export async function storedAsNumbers(
  database: Database,
  batchId: string,
): Promise<StoredAsNumber[]> {
  const { rows } = await sql<StoredAsNumber>`
    select * from (
      select f.column_name as column, f.count - (
        select count(*)::int from row_findings r join rejected_rows x using (batch_id, line)
        where r.batch_id = f.batch_id and r.number = f.number
      ) as rows
      from batch_findings f
      where f.batch_id = ${batchId} and f.code = 'number_not_text' and f.column_name = any(${COMPARED_COLUMNS})
    ) held where rows > 0 order by array_position(${COMPARED_COLUMNS}, "column")`.execute(database);
  return rows;
}

/** A row as it was in the file, with all its findings. */
export interface RowWithFindings {
  readonly line: number;
  readonly isRejected: boolean;
  readonly cells: readonly string[];
  readonly problems: readonly Problem[];
}

export interface FindingsPage {
  readonly severity?: Severity | undefined;
  readonly code?: string | undefined;
  /** "" for findings about the row as a whole. */
  readonly column?: string | undefined;
  /** The message of the findings, if it is about one currency. */
  readonly sentence?: string | undefined;
  readonly after: number;
  readonly limit: number;
}

/**
 * Returns rows with findings, in the order of their lines. For each finding, only the first good
 * rows are stored, up to some thousands.
 */
export async function rowsWithFindings(
  database: Database,
  sealer: Sealer,
  batchId: string,
  { severity, code, column, sentence, after, limit }: FindingsPage,
): Promise<RowWithFindings[]> {
  const { rows } = await sql<{ line: number }>`
    select distinct near.line from batch_findings f cross join lateral (
      select r.line from row_findings r
      where r.batch_id = f.batch_id and r.number = f.number and r.line > ${after}
        and (exists (select from warned_rows w where w.batch_id = r.batch_id and w.line = r.line)
          or exists (select from rejected_rows x where x.batch_id = r.batch_id and x.line = r.line))
      order by r.line limit ${limit}
    ) near
    where f.batch_id = ${batchId}
      and f.severity = coalesce(${severity ?? null}, f.severity)
      and f.code = coalesce(${code ?? null}, f.code)
      and f.column_name = coalesce(${column ?? null}, f.column_name)
      and f.sentence = coalesce(${sentence ?? null}, f.sentence)
    order by near.line limit ${limit}`.execute(database);
  const lines = rows.map(({ line }) => line);
  const found = await shownRows(database, sealer, batchId, lines);
  return lines.flatMap((line) => found.get(line) ?? []);
}

async function shownRows(
  database: Database,
  sealer: Sealer,
  batchId: string,
  lines: readonly number[],
): Promise<ReadonlyMap<number, RowWithFindings>> {
  const { rows } = await sql<{ line: number; sealed: Buffer; rejected: boolean }>`
    select line, sealed, true as rejected from rejected_rows
    where batch_id = ${batchId} and line = any(${lines}::int[])
    union all
    select line, sealed, false from warned_rows
    where batch_id = ${batchId} and line = any(${lines}::int[])`.execute(database);
  return new Map(
    rows.map(({ line, sealed, rejected }) => {
      const opened = rejected
        ? openRejected(sealer, batchId, line, sealed)
        : openWarned(sealer, batchId, line, sealed);
      return [line, { line, isRejected: rejected, ...opened }];
    }),
  );
}
