import type { FileLimits } from "#intake/text/file-limits.ts";
import type { CsvRecord } from "#intake/text/records.ts";
import { err, ok, type Result } from "#base/result.ts";
import { CAMT_COLUMNS } from "#reconciliation/camt/entry.ts";
import { type CamtProblem, CamtRefused } from "#reconciliation/camt/problem.ts";
import { StatementCollector } from "#reconciliation/camt/statement-collector.ts";
import type { CamtFacts } from "#reconciliation/camt/summary.ts";
import { XmlStream } from "#reconciliation/camt/xml-stream.ts";

/** A camt.053 statement as a table: one row for each transaction. Its rows can be iterated once. */
export interface CamtTable {
  readonly names: readonly string[];
  readonly headerLine: number;
  /** The rows in order, in chunks, so memory use does not depend on the size of the file. */
  readonly rows: AsyncIterable<readonly CsvRecord[]>;
  /** Call it when `rows` is exhausted. Err: none of the rows may be used. */
  end(): Result<
    { readonly digest: string; readonly rows: number; readonly facts: CamtFacts },
    readonly CamtProblem[]
  >;
}

/** Opens a camt.053 file, versions 02 to 08. Err: it is another file, or cannot be read. */
export async function openCamtTable(
  source: AsyncIterable<Uint8Array>,
  limits: FileLimits,
): Promise<Result<CamtTable, CamtProblem>> {
  const collector = new StatementCollector(limits.rowsMax);
  const stream = new XmlStream(source, collector, limits);
  const reading: { ending: Result<null, CamtProblem> | null } = { ending: null };

  /** Reads one more piece. Returns the rows that it completes. */
  const advance = async (): Promise<readonly CsvRecord[]> => {
    try {
      if (!(await stream.next())) reading.ending = ok(null);
    } catch (error) {
      if (!(error instanceof CamtRefused)) throw error;
      reading.ending = err(error.problem);
    }
    return collector.takeRows();
  };

  const first: CsvRecord[] = [];
  while (!collector.hasStatement && !reading.ending) first.push(...(await advance()));
  if (reading.ending && !reading.ending.ok) return reading.ending;

  async function* walk() {
    if (first.length > 0) yield first;
    while (!reading.ending) {
      const rows = await advance();
      if (rows.length > 0) yield rows;
    }
  }
  return ok({
    names: CAMT_COLUMNS,
    headerLine: collector.statementLine,
    rows: walk(),
    end() {
      const { ending } = reading;
      if (!ending) throw new Error("end() before the rows are exhausted");
      if (!ending.ok) return err([ending.error]);
      const problems = collector.problems();
      if (problems.length > 0) return err(problems);
      return ok({ digest: stream.digest(), rows: collector.rows, facts: collector.facts() });
    },
  });
}
