import { formulaMarked } from "#batch/formula.ts";
import { knownColumn } from "#batch/header.ts";
import { LOST } from "#batch/no-value.ts";
import type { Problem, ProblemCode } from "#batch/problems.ts";
import { NUL_SHOWN } from "#batch/shape.ts";

/** The columns that a file of rejected rows has more than the file that they come from. One that comes again has them already. */
export const REJECT_COLUMNS: readonly string[] = ["line", "reason", "hint"];

/** A row that was left out, with everything that is wrong with it. */
export interface Rejected {
  readonly line: number;
  readonly cells: readonly string[];
  readonly problems: readonly Problem[];
}

/** The records of a file of rejected rows: what stood in the file, what is wrong with it, and how to repair it. */
export function rejectRecords(header: readonly string[]): {
  readonly header: readonly string[];
  of(row: Rejected): readonly string[];
} {
  const kept = [...header.keys()].filter((place) => !REJECT_COLUMNS.includes(header[place] ?? ""));
  return {
    header: [...kept.map((place) => formulaMarked(header[place] ?? "")), ...REJECT_COLUMNS],
    // Cells beyond the header stand behind all columns, so that the row is too long until somebody has moved them.
    of: ({ line, cells, problems }) =>
      [
        ...kept.map((place) => goingOut(cells[place], header[place] ?? "", problems)),
        String(line),
        problems.map(({ code, column }) => (column ? `${column}: ${code}` : code)).join("; "),
        [...new Set(problems.map(hintOf))].join(" "),
        ...cells.slice(header.length).map((cell) => goingOut(cell, "", problems)),
      ].map(formulaMarked),
  };
}

/** A workbook no longer holds the value that is meant. What it holds looks like one, and the file says nothing of the doubt. */
const SPOILT: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  "code_not_text",
  "digits_not_kept",
  "amount_shown_otherwise",
  "number_not_exact",
  "cell_is_a_date",
  "cell_merged",
]);

/**
 * What is in doubt must not come back as if somebody had read it: LOST is refused in whatever is read of a row. An empty
 * cell is not, and a code that is missing would be minted anew.
 */
function goingOut(cell: string | undefined, name: string, problems: readonly Problem[]): string {
  // Of a row that is too short nobody knows which of its cells are missing.
  if (cell === undefined) return LOST;
  const ofRow = problems.filter(({ column }) => column === null);
  const ofCell = problems.filter(({ column }) => column === knownColumn(name));
  if (ofCell.some(({ code }) => SPOILT.has(code))) return LOST;
  if ([...ofRow, ...ofCell].some(({ code }) => code === "encoding_doubtful")) {
    return withoutLetters(cell);
  }
  return problems.some(({ code }) => code === "nul_character")
    ? cell.replaceAll(NUL_SHOWN, LOST)
    : cell;
}

/** The file goes out in UTF-8 and says nothing of the guess. */
const withoutLetters = (cell: string): string => cell.replace(/[^\0-\x7f]/g, LOST);

const hintOf = ({ code, message, found, repair }: Problem): string =>
  (SPOILT.has(code) || code === "encoding_doubtful") && found
    ? `${message} It was read as ${found}. ${repair}`
    : `${message} ${repair}`;
