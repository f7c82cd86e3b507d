/** Rows copied from a spreadsheet: the text of the cells as displayed there. */
export interface PastedRows {
  readonly names: readonly string[];
  /** Without the header. */
  readonly rowCount: number;
  readonly columnCount: number;
  readonly firstRows: readonly (readonly string[])[];
  /** The first row contains no known column name. */
  readonly hasNoHeader: boolean;
  /** The rows as a CSV file. */
  readonly csv: string;
}

const FIRST_ROWS = 3;

/**
 * Reads pasted text; null if it contains no row.
 * @param columns the column names of the templates.
 */
export function readPastedRows(text: string, columns: Iterable<string>): PastedRows | null {
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

/** Normalises a column name as the server does. */
const squeezed = (name: string): string => name.toLowerCase().replace(/[\s_-]+/gu, "");

const quoted = (cell: string): string =>
  /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;

type Delimiter = "\t" | "," | ";";

/**
 * Text from a spreadsheet contains tabs. Text from a CSV file contains the delimiter of that file.
 */
function delimiterOf(text: string): Delimiter {
  const [line = ""] = text.split(/[\r\n]/, 1);
  if (line.includes("\t")) return "\t";
  return line.split(";").length > line.split(",").length ? ";" : ",";
}

/** Skips empty rows: text from a spreadsheet ends with a line break. */
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
  // A spreadsheet quotes a cell only if necessary. A cell that displays "so" is copied with its
  // quotes.
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
