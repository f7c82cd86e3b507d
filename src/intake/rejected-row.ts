import { knownColumn } from "#intake/header/column-names.ts";
import { type Problem, type ProblemCode, problem } from "#intake/text/problems.ts";
import { NOT_ASCII, type RowVerdict } from "#intake/row.ts";

/** A rejected row: its cells under the header of its batch, and its problems. */
interface EarlierRejection {
  readonly cells: readonly string[];
  readonly problems: readonly Problem[];
}

/** The file from which the batch was created. */
interface OriginalFile {
  readonly header: readonly string[];
  readonly encoding: string;
}

/** Problems of workbook cells that have no value. */
export const LOST_VALUE_CODES: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  "error_value",
  "formula_not_calculated",
]);

/**
 * Problems that depend on more than the text of a workbook cell. A file of rejected rows holds only
 * the text.
 */
const WORKBOOK_CODES: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  ...LOST_VALUE_CODES,
  "number_not_text",
  "amount_shown_rounded",
  "amount_in_other_currency",
]);

/**
 * Returns the corrected row together with the earlier problems of cells that were not edited since
 * the row was rejected.
 */
export function withEarlierProblems(
  row: RowVerdict,
  before: EarlierRejection | undefined,
  { header, encoding }: OriginalFile,
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
      WORKBOOK_CODES.has(code) &&
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

/** Letters of Windows-1252 were accepted because of the currency, which has changed since. */
function guessedLetters(
  { line, cells }: RowVerdict,
  before: EarlierRejection,
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

/** Adds problems that do not follow from the texts of the row. */
export function withProblems(verdict: RowVerdict, found: readonly Problem[]): RowVerdict {
  if (found.length === 0) return verdict;
  if (verdict.kind === "rejected") return { ...verdict, problems: [...verdict.problems, ...found] };
  const { line, cells, warnings } = verdict;
  const problems = [...warnings, ...found];
  return found.some(({ severity }) => severity === "error")
    ? { kind: "rejected", line, cells, problems }
    : { ...verdict, warnings: problems };
}

/**
 * Removes the problems of these columns from a row, because their cells hold values that belong
 * elsewhere.
 */
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
