import { createHash } from "node:crypto";
import type { FileReading } from "#intake/file-reader.ts";
import { interpretationOf, settingsOfBatch } from "#intake/file-interpretation.ts";
import { placesOf } from "#intake/header/column-names.ts";
import { COLUMNS, type Column, REQUIRED_COLUMNS } from "#intake/header/columns.ts";
import type { RowSettings } from "#intake/row-settings.ts";
import { rowReader, type RowReader } from "#intake/row.ts";
import { ok } from "#base/result.ts";

/** The texts of one payout by column, as a program sends them. Null, absent and empty are equal. */
export type RowTexts = Readonly<Partial<Record<Column, string | null | undefined>>>;

/** Maximum number of rows in one request. */
export const ROWS_MAX = 10_000;
/** Rows are numbered as in a file, whose first line is the header. */
export const FIRST_LINE = 2;
const CHUNK = 1_000;

/** Rows of a program in the form of a file: a header, and cells under it. */
export interface RowList {
  readonly header: readonly Column[];
  readonly rows: readonly (readonly string[])[];
}

/** Returns the cells of a row under these columns. */
export const cellsOf = (header: readonly Column[], texts: RowTexts): readonly string[] =>
  header.map((column) => texts[column] ?? "");

/**
 * Returns the columns of a row that have a value, each followed by its value, in the order of their
 * names. A column that a later version adds does not change them.
 */
export const valuesOf = (texts: RowTexts): readonly string[] =>
  Object.entries(texts)
    .flatMap(([column, text]) => (text ? [[column, text] as const] : []))
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flat();

/** Arranges rows under the required columns and those that at least one row has. */
export function rowListOf(given: readonly RowTexts[]): RowList {
  const required = new Set(REQUIRED_COLUMNS);
  const header = COLUMNS.filter(
    (column) => required.has(column) || given.some((texts) => (texts[column] ?? "") !== ""),
  );
  return { header, rows: given.map((texts) => cellsOf(header, texts)) };
}

/** Returns the SHA-256 digest of the rows, in hexadecimal. Equal rows have equal digests. */
export function digestOfRows({ header, rows }: RowList): string {
  const hash = createHash("sha256").update(JSON.stringify(["rows 1", header]));
  for (const cells of rows) hash.update(JSON.stringify(cells));
  return hash.digest("hex");
}

/** Amounts of programs are plain decimals, whatever the server's default for files is. */
const PLAIN = { amounts: "plain", amountsConfirmed: true, columns: [] } as const;

/** Returns a reader of rows under these columns. It validates them like the rows of a file. */
export const listReader = (header: readonly Column[], settings: RowSettings): RowReader =>
  rowReader(header, placesOf(header, 1).places, settingsOfBatch(settings, PLAIN));

/** Returns how payrun reads rows under these columns, as for a file. */
export const listFacts = (header: readonly Column[], settings: RowSettings) => ({
  encoding: "UTF-8",
  delimiter: "," as const,
  header,
  ownHeader: header,
  reading: interpretationOf(settingsOfBatch(settings, PLAIN), { mapped: [], currency: null }),
  notes: [],
});

/** Opens rows as a file would be opened, so that both are validated and stored the same way. */
export function openRows(list: RowList, settings: RowSettings): FileReading {
  const { header, rows } = list;
  const read = listReader(header, settings);
  let rejected = 0;
  let warnings = 0;
  async function* chunks() {
    for (let start = 0; start < rows.length; start += CHUNK) {
      const verdicts = rows
        .slice(start, start + CHUNK)
        .map((cells, place) => read(cells, start + place + FIRST_LINE));
      for (const verdict of verdicts) {
        if (verdict.kind === "rejected") rejected++;
        else warnings += verdict.warnings.length;
      }
      yield verdicts;
    }
  }
  return {
    facts: listFacts(header, settings),
    rows: chunks(),
    end: () => ok({ digest: digestOfRows(list), rows: rows.length, rejected, warnings, notes: [] }),
  };
}
