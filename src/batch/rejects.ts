import { formulaMarked } from "#batch/formula.ts";
import { knownColumn } from "#batch/header.ts";
import type { Problem } from "#batch/problems.ts";

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
    of: ({ line, cells, problems }) =>
      [
        ...kept.map((place) =>
          isMisread(header[place] ?? "", problems)
            ? withoutLetters(cells[place] ?? "")
            : (cells[place] ?? ""),
        ),
        String(line),
        problems.map(({ code, column }) => (column ? `${column}: ${code}` : code)).join("; "),
        [...new Set(problems.map(({ message, repair }) => `${message} ${repair}`))].join(" "),
      ].map(formulaMarked),
  };
}

const isMisread = (name: string, problems: readonly Problem[]): boolean =>
  problems.some(({ code, column }) => code === "encoding_doubtful" && column === knownColumn(name));

/** The file goes out in UTF-8 and says nothing of the guess: what was misread must not come back as if somebody had read it. */
const withoutLetters = (cell: string): string => cell.replace(/[^\0-\x7f]/g, "\ufffd");
