/** Rows that were copied from a spreadsheet: its cells as text, just as they were shown there. */
export interface Pasted {
  readonly names: readonly string[];
  /** Without the header. */
  readonly rowCount: number;
  readonly columnCount: number;
  readonly firstRows: readonly (readonly string[])[];
  /** The first row names none of these columns. */
  readonly hasNoHeader: boolean;
  /** The same as a CSV file. */
  readonly csv: string;
}

const FIRST_ROWS = 3;

/** @param columns what a file may hold, as the templates name it. Null: there is nothing in it. */
export function readPasted(text: string, columns: Iterable<string>): Pasted | null {
  const rows = rowsOf(text);
  const [names] = rows;
  if (!names) return null;
  const known = new Set([...columns].map(squeezed));
  const isTitled = names.some((name) => known.has(squeezed(name)));
  return {
    names,
    rowCount: rows.length - (isTitled ? 1 : 0),
    columnCount: rows.reduce((most, cells) => Math.max(most, cells.length), 0),
    firstRows: rows.slice(isTitled ? 1 : 0, FIRST_ROWS + 1),
    hasNoHeader: !isTitled,
    csv: rows.map((cells) => `${cells.map(quoted).join(",")}\n`).join(""),
  };
}

/** As the server compares names. */
const squeezed = (name: string): string => name.toLowerCase().replace(/[\s_-]+/gu, "");

const quoted = (cell: string): string =>
  /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;

type Delimiter = "\t" | "," | ";";

/** What a spreadsheet copies has tabs; what was copied from a CSV file has the delimiter of that file. */
function delimiterOf(text: string): Delimiter {
  const [line = ""] = text.split(/[\r\n]/, 1);
  if (line.includes("\t")) return "\t";
  return line.split(";").length > line.split(",").length ? ";" : ",";
}

/** Rows that hold nothing are left out: a spreadsheet ends what it copies with a line break. */
function rowsOf(given: string): string[][] {
  const text = given.replace(/^[\r\n]+/, "");
  const delimiter = delimiterOf(text);
  const rows: string[][] = [];
  let cells: string[] = [];
  for (let at = 0; at < text.length; ) {
    const { cell, end } = cellAt(text, at, delimiter);
    cells.push(cell);
    at = end;
    if (text[at] === delimiter) {
      at += 1;
      if (at < text.length) continue;
      cells.push("");
    }
    if (cells.some((each) => each !== "")) rows.push(cells);
    cells = [];
    at += text.startsWith("\r\n", at) ? 2 : 1;
  }
  return rows;
}

function cellAt(text: string, at: number, delimiter: Delimiter): { cell: string; end: number } {
  const quote = text[at] === '"' ? closingQuote(text, at) : -1;
  const after = text[quote + 1];
  const inside = text.slice(at + 1, quote);
  const isClosed =
    quote > at && (after === undefined || after === delimiter || /[\r\n]/.test(after));
  // A spreadsheet quotes a cell only where it must; one that shows "so" is copied as it is shown.
  if (isClosed && (delimiter !== "\t" || /[\t\r\n]|""/.test(inside))) {
    return { cell: inside.replaceAll('""', '"'), end: quote + 1 };
  }
  let end = at;
  while (end < text.length && text[end] !== delimiter && text[end] !== "\n" && text[end] !== "\r") {
    end += 1;
  }
  return { cell: text.slice(at, end), end };
}

function closingQuote(text: string, at: number): number {
  for (let end = at + 1; ; end += 2) {
    end = text.indexOf('"', end);
    if (end === -1 || text[end + 1] !== '"') return end;
  }
}
