import { knownColumn } from "#intake/header/column-names.ts";
import { typedProblems } from "#intake/text/typed-problems.ts";
import { type Problem, type ProblemCode, problem } from "#intake/text/problems.ts";
import { VALUE_LOST_CODES } from "#intake/rejects-file.ts";
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
 * Problems that depend on more than the text of a cell. A file of rejected rows holds only the
 * text.
 */
const BEYOND_TEXT_CODES: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  ...LOST_VALUE_CODES,
  "number_not_text",
  "amount_shown_rounded",
  "amount_in_other_currency",
  "letters_confirmed",
]);

/**
 * Problems that the text of a stored cell does not show. A file of rejected rows has a marker in
 * place of such a cell, but a row that is edited in place keeps the cell and the problem.
 */
const UNSEEN_CODES: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  ...VALUE_LOST_CODES,
  "encoding_doubtful",
  "nul_character",
]);

/** Names of the columns in the file whose cells a person has entered again in a row. */
export type EditedColumns = ReadonlySet<string>;

/**
 * Returns the corrected row together with the earlier problems of cells that were not edited since
 * the row was rejected.
 *
 * @param edited the columns that were edited in place. Null: the row comes from a file.
 */
export function withEarlierProblems(
  row: RowVerdict,
  before: EarlierRejection | undefined,
  file: OriginalFile,
  edited: EditedColumns | null = null,
): RowVerdict {
  if (!before || row.cells.length !== file.header.length) return row;
  if (edited === null) return withEarlierDoubts(row, before, file, edited);
  const kept = before.problems.filter(
    ({ code, column }) =>
      UNSEEN_CODES.has(code) &&
      file.header.some((name) => knownColumn(name) === column && !edited.has(name)),
  );
  // Letters that may be wrong are not checked any further, as when the file was read.
  const doubtful = kept.filter(({ code }) => code === "encoding_doubtful");
  const unchecked = withoutProblems(
    row,
    doubtful.map(({ column }) => column),
  );
  const confirmed = confirmedLetters(row, before, file, edited);
  const found = withNew(unchecked, [...kept, ...confirmed]);
  const doubted = withEarlierDoubts(found, before, file, edited);
  if (doubted.kind === "draft") return doubted;
  const columns = new Set([...edited].flatMap((name) => knownColumn(name) ?? []));
  return { ...doubted, problems: typedProblems(doubted.problems, columns) };
}

/** Letters in doubt that a person has entered again as payrun had read them. */
const confirmedLetters = (
  { line, cells }: RowVerdict,
  before: EarlierRejection,
  { header }: OriginalFile,
  edited: EditedColumns,
): readonly Problem[] =>
  before.problems.flatMap(({ code, column }) => {
    const place = header.findIndex((name) => knownColumn(name) === column);
    const found = cells[place]?.trim() ?? "";
    const isSame = NOT_ASCII.test(found) && found === before.cells[place]?.trim();
    return code === "encoding_doubtful" && edited.has(header[place] ?? "") && isSame
      ? [problem("letters_confirmed", { line, column, found })]
      : [];
  });

/** Adds the problems of cells whose text alone looks valid. */
function withEarlierDoubts(
  row: RowVerdict,
  before: EarlierRejection,
  { header, encoding }: OriginalFile,
  edited: EditedColumns | null,
): RowVerdict {
  const isAsItWas = (column: string | null) => {
    const place = header.findIndex((name) => knownColumn(name) === column);
    return row.cells[place]?.trim() === before.cells[place]?.trim();
  };
  const isSameCurrency = isAsItWas("currency_code");
  const old = before.problems.filter(
    ({ code, column }) =>
      BEYOND_TEXT_CODES.has(code) &&
      isAsItWas(column) &&
      (isSameCurrency || code !== "amount_in_other_currency"),
  );
  const isWholeRow = before.problems.some(
    ({ code, column }) => edited !== null && code === "encoding_doubtful" && column === null,
  );
  const isGuessed = encoding === "Windows-1252" && (!isSameCurrency || isWholeRow);
  const sure = old.flatMap(({ code, column }) => (code === "letters_confirmed" ? [column] : []));
  const kept = header.map((name) =>
    edited?.has(name) || sure.includes(knownColumn(name) ?? null) ? "" : name,
  );
  const guessed = isGuessed ? guessedLetters(row, before, kept) : [];
  return withNew(row, [...old, ...guessed]);
}

/** Adds the problems that a row does not have yet. */
function withNew(row: RowVerdict, found: readonly Problem[]): RowVerdict {
  const said = new Set(problemsOf(row).map(({ code, column }) => `${code} ${column}`));
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
