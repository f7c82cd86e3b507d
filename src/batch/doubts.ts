import { knownColumn } from "#batch/header.ts";
import { type Problem, type ProblemCode, problem } from "#batch/problems.ts";
import { NOT_ASCII, type RowVerdict } from "#batch/row.ts";

/** A row as it was rejected: its cells under the header of its batch, and what was found. */
interface RejectedBefore {
  readonly cells: readonly string[];
  readonly problems: readonly Problem[];
}

/** The file that the batch was made of. */
interface FirstFile {
  readonly header: readonly string[];
  readonly encoding: string;
}

/** What is found of a cell of a workbook that has no value. */
export const OF_LOST_VALUES: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  "error_value",
  "formula_not_calculated",
]);

/** What is found in a workbook beside the text of a cell: the file of rejected rows holds the text alone. */
const OF_WORKBOOKS: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  ...OF_LOST_VALUES,
  "number_not_text",
  "amount_shown_rounded",
  "amount_in_other_currency",
]);

/** The row that came back, with the doubts about its cells that nobody has touched since it was rejected. */
export function withOldDoubts(
  row: RowVerdict,
  before: RejectedBefore | undefined,
  { header, encoding }: FirstFile,
): RowVerdict {
  if (!before || row.cells.length !== header.length) return row;
  const said = new Set(problemsOf(row).map(({ code, column }) => `${code} ${column}`));
  const isAsItWas = (column: string | null) => {
    const place = header.findIndex((name) => knownColumn(name) === column);
    return row.cells[place]?.trim() === before.cells[place]?.trim();
  };
  const isSameCurrency = isAsItWas("currency_code");
  const old = before.problems.filter(
    ({ code, column }) =>
      OF_WORKBOOKS.has(code) &&
      isAsItWas(column) &&
      (isSameCurrency || code !== "amount_in_other_currency"),
  );
  const isGuessed = encoding === "Windows-1252" && !isSameCurrency;
  const guessed = isGuessed ? guessedLetters(row, before, header) : [];
  const found = [...old, ...guessed];
  return withProblems(
    row,
    found.filter(({ code, column }) => !said.has(`${code} ${column}`)),
  );
}

/** Letters of Windows-1252 were believed because of the currency, which is another one now. */
function guessedLetters(
  { line, cells }: RowVerdict,
  before: RejectedBefore,
  header: readonly string[],
): readonly Problem[] {
  const old = new Set(before.cells.map((cell) => cell.trim()));
  return header.flatMap((name, place) => {
    const column = knownColumn(name);
    const text = cells[place]?.trim() ?? "";
    const isDoubtful = column && column !== "reference" && NOT_ASCII.test(text) && old.has(text);
    return isDoubtful ? [problem("encoding_doubtful", { line, column, found: text })] : [];
  });
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

/** A row of which nothing is said that concerns these columns: what their cells hold is not theirs. */
export function withoutProblems(
  verdict: RowVerdict,
  columns: readonly (string | null)[],
): RowVerdict {
  if (columns.length === 0) return verdict;
  const others = problemsOf(verdict).filter(({ column }) => !columns.includes(column));
  return verdict.kind === "draft"
    ? { ...verdict, warnings: others }
    : { ...verdict, problems: others };
}
