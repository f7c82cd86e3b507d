/** A file of rejected rows that comes back as it went out pays nobody: each of its rows is still to be repaired. */
import { stringify } from "csv-stringify/sync";
import { expect, test } from "vitest";
import { openBatch } from "#batch/batch.ts";
import { rejectRecords } from "#batch/rejects.ts";
import { DEFAULT_ROW_SETTINGS, type RowVerdict } from "#batch/row.ts";
import { inChunks, type ReadFile, readFile } from "../support/samples.ts";
import { type Entry, text, zipOf } from "./archive.ts";
import { cell, GOOD, HEADER, PARTS, rowOf, sheetOf, type Value } from "./workbook-parts.ts";

/** The rejected rows of a file, as they are downloaded. */
function rejectsOf({ verdicts, facts }: ReadFile): string {
  const records = rejectRecords(facts?.columns ?? []);
  const rejected = verdicts.flatMap((row) => (row.kind === "rejected" ? [records.of(row)] : []));
  return stringify([records.header, ...rejected].map((record) => [...record]));
}

async function readBack(file: string): Promise<readonly RowVerdict[]> {
  const options = { isCorrection: true };
  const opened = await openBatch(inChunks(Buffer.from(file)), DEFAULT_ROW_SETTINGS, options);
  if (!opened.ok) throw new Error(opened.error.map(({ message }) => message).join(" "));
  const rows: RowVerdict[] = [];
  for await (const chunk of opened.value.rows) rows.push(...chunk);
  return rows;
}
const problemsOf = (row: RowVerdict | undefined) => {
  const problems = row?.kind === "draft" ? row.warnings : row?.problems;
  return [row?.kind, ...(problems ?? []).map(({ code, column }) => `${column} ${code}`)];
};

/** A workbook of one row, with this cell in the place of the one in that column. */
const readWith = (column: string, content: string, ...parts: readonly Entry[]) => {
  const header = [...HEADER, "transaction_code", "reference"];
  const values: readonly Value[] = [...GOOD, "T-1", "Bill 7"];
  const at = header.indexOf(column);
  const place = `${"ABCDEFGHIJ"[at]}2`;
  const row = rowOf(2, values).replace(
    cell(place, String(values[at])),
    `<c r="${place}" ${content}</c>`,
  );
  return readFile(inChunks(zipOf(...PARTS, sheetOf(rowOf(1, header), row), ...parts)));
};
const TEN_ZEROS = text(
  "xl/styles.xml",
  '<styleSheet><numFmts><numFmt numFmtId="200" formatCode="0000000000"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="200"/></cellXfs></styleSheet>',
);

// biome-ignore format: the columns are the point
test.each([
  ["bank_account_number", 's="1"><v>12345678</v>',       "digits_not_kept",  "12345678"],
  ["bank_account_number", "><v>12345678901234567</v>",   "number_not_exact", "12345678901234567"],
  ["transaction_code",    's="1"><v>1234</v>',           "code_not_text",    "1234"],
  ["account_name",        't="d"><v>2026-01-05</v>',     "cell_is_a_date",   "2026-01-05"],
  ["transaction_amount",  "><v>0.30000000000000004</v>", "number_not_exact", "0.30000000000000004"],
  ["reference",           's="1"><v>7</v>',              "digits_not_kept",  "7"],
])("F88 a %s that a workbook has spoilt (%s, %s) goes out as lost, and its hint tells what was read", async (column, content, code, found) => {
  const read = await readWith(column, content, TEN_ZEROS);
  expect(problemsOf(read.verdicts[0])).toContain(`${column} ${code}`);
  const file = rejectsOf(read);
  expect(file).toContain(`It was read as ${found}. `);
  const [row] = await readBack(file);
  expect(row).toMatchObject({ kind: "rejected", line: 2 });
  expect(row?.cells[[...HEADER, "transaction_code", "reference"].indexOf(column)]).toBe("\ufffd");
});

test("F88 a value that somebody has written in the place of one that was spoilt is taken", async () => {
  const file = rejectsOf(await readWith("bank_account_number", 's="1"><v>12345678</v>', TEN_ZEROS));
  const [row] = await readBack(file.replace("\ufffd", "0012345678"));
  expect(row).toMatchObject({ draft: { details: { bank_account_number: "0012345678" } } });
});
