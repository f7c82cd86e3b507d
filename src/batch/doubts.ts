import { knownColumn } from "#batch/header.ts";
import type { Problem, ProblemCode } from "#batch/problems.ts";
import type { RowVerdict } from "#batch/row.ts";

/** A row as it was rejected: its cells under the header of its batch, and what was found. */
interface RejectedBefore {
  readonly cells: readonly string[];
  readonly problems: readonly Problem[];
}

/** What is found in a workbook beside the text of a cell: the file of rejected rows holds the text alone. */
const OF_WORKBOOKS: ReadonlySet<ProblemCode> = new Set<ProblemCode>(["number_not_text"]);

/** The row that came back, with the doubts about its cells that nobody has touched since it was rejected. */
export function withOldDoubts(
  row: RowVerdict,
  before: RejectedBefore | undefined,
  header: readonly string[],
): RowVerdict {
  if (!before || row.cells.length !== header.length) return row;
  const said = new Set(problemsOf(row).map(({ code, column }) => `${code} ${column}`));
  const old = before.problems.filter(({ code, column }) => {
    const place = header.findIndex((name) => knownColumn(name) === column);
    const isAsItWas = row.cells[place]?.trim() === before.cells[place]?.trim();
    return OF_WORKBOOKS.has(code) && isAsItWas && !said.has(`${code} ${column}`);
  });
  return withProblems(row, old);
}

const problemsOf = (row: RowVerdict): readonly Problem[] =>
  row.kind === "draft" ? row.warnings : row.problems;

/** A row of which more is known than its texts tell. */
export function withProblems(verdict: RowVerdict, found: readonly Problem[]): RowVerdict {
  if (found.length === 0) return verdict;
  if (verdict.kind === "rejected") return { ...verdict, problems: [...verdict.problems, ...found] };
  const { line, cells, warnings } = verdict;
  const problems = [...warnings, ...found];
  return found.some(({ severity }) => severity === "error")
    ? { kind: "rejected", line, cells, problems }
    : { ...verdict, warnings: problems };
}
