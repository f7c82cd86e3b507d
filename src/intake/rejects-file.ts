import { formulaMarked } from "#intake/text/formula.ts";
import { knownColumn } from "#intake/header/column-names.ts";
import { REPLACEMENT_CHARACTER } from "#intake/text/error-values.ts";
import type { Problem, ProblemCode } from "#intake/text/problems.ts";
import { NUL_SHOWN } from "#intake/text/trailing-cells.ts";

/**
 * The columns that a file of rejected rows adds to those of its original file. A file of rejected
 * rows that is uploaded again already has them.
 */
export const REJECT_COLUMNS: readonly string[] = ["line", "reason", "hint"];

/** A row that was left out, with all its problems. */
export interface Rejected {
  readonly line: number;
  readonly cells: readonly string[];
  readonly problems: readonly Problem[];
}

/**
 * Builds the records of a file of rejected rows: the original cells, their problems, and how to
 * correct them.
 */
export function rejectRecords(header: readonly string[]): {
  readonly header: readonly string[];
  of(row: Rejected): readonly string[];
} {
  const kept = [...header.keys()].filter((place) => !REJECT_COLUMNS.includes(header[place] ?? ""));
  return {
    header: [...kept.map((place) => formulaMarked(header[place] ?? "")), ...REJECT_COLUMNS],
    // Cells beyond the header are placed after all columns, so the row stays too long until
    // somebody moves them.
    of: ({ line, cells, problems }) =>
      [
        ...kept.map((place) => outgoingCell(cells[place], header[place] ?? "", problems)),
        String(line),
        problems.map(({ code, column }) => (column ? `${column}: ${code}` : code)).join("; "),
        [...new Set(problems.map(hintOf))].join(" "),
        ...cells.slice(header.length).map((cell) => outgoingCell(cell, "", problems)),
      ].map(formulaMarked),
  };
}

/**
 * Problems after which a workbook no longer contains the intended value. Its value looks valid, and
 * the file does not show the doubt.
 */
const VALUE_LOST_CODES: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  "code_not_text",
  "digits_not_kept",
  "amount_shown_otherwise",
  "number_not_exact",
  "cell_is_a_date",
  "cell_merged",
]);

/**
 * A doubtful value must not return as if somebody had checked it: the marker LOST is refused in
 * every cell that is read. An empty cell would be accepted, and a missing transaction code would be
 * replaced by a new one.
 */
function outgoingCell(
  cell: string | undefined,
  name: string,
  problems: readonly Problem[],
): string {
  // In a row that is too short it is unknown which cells are missing.
  if (cell === undefined) return REPLACEMENT_CHARACTER;
  const ofRow = problems.filter(({ column }) => column === null);
  const ofCell = problems.filter(({ column }) => column === knownColumn(name));
  if (ofCell.some(({ code }) => VALUE_LOST_CODES.has(code))) return REPLACEMENT_CHARACTER;
  if ([...ofRow, ...ofCell].some(({ code }) => code === "encoding_doubtful")) {
    return withoutLetters(cell);
  }
  return problems.some(({ code }) => code === "nul_character")
    ? cell.replaceAll(NUL_SHOWN, REPLACEMENT_CHARACTER)
    : cell;
}

/** The file is written in UTF-8 and does not record that the encoding was guessed. */
const withoutLetters = (cell: string): string => cell.replace(/[^\0-\x7f]/g, REPLACEMENT_CHARACTER);

const hintOf = ({ code, message, found, correction }: Problem): string =>
  (VALUE_LOST_CODES.has(code) || code === "encoding_doubtful") && found
    ? `${message} It was read as ${found}. ${correction}`
    : `${message} ${correction}`;
