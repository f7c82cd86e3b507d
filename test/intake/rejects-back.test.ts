/**
 * Uploading a file of rejected rows unchanged pays nobody: each of its rows still needs a
 * correction.
 */
import { stringify } from "csv-stringify/sync";
import { expect, test } from "vitest";
import { openFile } from "#intake/file-reader.ts";
import { rejectRecords } from "#intake/rejects-file.ts";
import { type RowVerdict } from "#intake/row.ts";
import { DEFAULT_ROW_SETTINGS } from "#intake/row-settings.ts";
import {
  inChunks,
  type ReadFile,
  readFile,
  readSample,
  SAMPLES,
  sampleSettings,
} from "../support/samples.ts";
import { type Entry, text, zipOf } from "./workbook/archive.ts";
import {
  cell,
  GOOD,
  HEADER,
  PARTS,
  rowOf,
  sheetOf,
  type Value,
} from "./workbook/workbook-parts.ts";

/** The rejected rows of a file, as downloaded. */
function rejectsOf({ verdicts, facts }: ReadFile): string {
  const records = rejectRecords(facts?.columns ?? []);
  const rejected = verdicts.flatMap((row) => (row.kind === "rejected" ? [records.of(row)] : []));
  return stringify([records.header, ...rejected].map((record) => [...record]));
}

async function readBack(
  file: string,
  settings = DEFAULT_ROW_SETTINGS,
): Promise<readonly RowVerdict[]> {
  const opened = await openFile(inChunks(Buffer.from(file)), settings, { isCorrection: true });
  if (!opened.ok) throw new Error(opened.error.map(({ message }) => message).join(" "));
  const rows: RowVerdict[] = [];
  for await (const chunk of opened.value.rows) rows.push(...chunk);
  return rows;
}
const problemsOf = (row: RowVerdict | undefined) => {
  const problems = row?.kind === "draft" ? row.warnings : row?.problems;
  return [row?.kind, ...(problems ?? []).map(({ code, column }) => `${column} ${code}`)];
};

/**
 * Of two rows with the same code, the other one is not in this file. The ledger has it and refuses
 * the code.
 */
const KNOWN_TO_THE_LEDGER = "transaction_code_repeated";

test.each(SAMPLES)("keeps rejecting the rejected rows of samples/%s", async (name) => {
  const read = await readSample(name);
  const rejected = read.verdicts.flatMap((row) => (row.kind === "rejected" ? [row] : []));
  if (read.refused || rejected.length === 0) return;
  const back = await readBack(rejectsOf(read), sampleSettings(name));
  expect(back.map(({ line }) => line)).toEqual(rejected.map(({ line }) => line));
  for (const [at, { problems }] of rejected.entries()) {
    if (problems.every(({ code }) => code === KNOWN_TO_THE_LEDGER)) continue;
    expect(back[at]?.kind, JSON.stringify(back[at])).toBe("rejected");
  }
});

test("F81 does not pay the first part of an amount that a comma has split", async () => {
  const file = `user_id,currency_code,account_name,bank_account_number,bank_code,bank_name,ifsc_code,transaction_amount
U-1,INR,Asha Rao,50100012345678,HDFC,HDFC Bank,HDFC0000001,1,500.00
`;
  const rejects = rejectsOf(await readFile(inChunks(Buffer.from(file))));
  const [row] = await readBack(rejects);
  expect(problemsOf(row)).toEqual(["rejected", "null row_too_long"]);
  const [repaired] = await readBack(rejects.replace(",1,2,", ",1500.00,2,").replace(",500.00", ""));
  expect(repaired).toMatchObject({ kind: "draft", draft: { money: { minor: 150_000n } } });
});

test("F81 does not treat a truncated row as one with empty last cells", async () => {
  const file = `user_id,currency_code,transaction_amount,account_name,bank_account_number,bank_code,bank_name,ifsc_code,transaction_code
U-1,INR,100.00,Asha Rao,50100012345678,HDFC,HDFC Bank,HDFC0000001
`;
  const [row] = await readBack(rejectsOf(await readFile(inChunks(Buffer.from(file)))));
  expect(problemsOf(row)).toEqual(["rejected", "transaction_code lost_character"]);
});

test.each([
  ["with an unknown currency", (file: string) => file.replace("THB", "TBH")],
  ["that is too long", (file: string) => file.replace(/\n$/, ",x\n")],
])(
  "F80 does not pay letters of a guessed encoding in a row %s when the rest is corrected",
  async (_, spoil) => {
    const file = `user_id,currency_code,transaction_amount,account_name,bank_account_number,bank_code,bank_name
TH-1,THB,500.25,\xca\xc1\xaa\xd2\xc2,1122330793,4,KasiKorn Bank
`;
    const read = await readFile(inChunks(Buffer.from(spoil(file), "latin1")));
    const repaired = rejectsOf(read).replace("TBH", "THB").replace(/,x\n$/, "\n");
    expect(problemsOf((await readBack(repaired))[0])).toEqual([
      "rejected",
      "account_name lost_character",
    ]);
    const [whole] = await readBack(repaired.replace("\ufffd".repeat(5), "สมชาย"));
    expect(whole).toMatchObject({ kind: "draft", draft: { details: { account_name: "สมชาย" } } });
  },
);

/** A workbook of one row with this cell in that column. */
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
const STYLES = text(
  "xl/styles.xml",
  '<styleSheet><numFmts><numFmt numFmtId="200" formatCode="0000000000"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="200"/><xf numFmtId="9"/></cellXfs></styleSheet>',
);

// biome-ignore format: the columns are the point
test.each([
  ["bank_account_number", 's="1"><v>12345678</v>',       "digits_not_kept",  "12345678"],
  ["bank_account_number", "><v>12345678901234567</v>",   "number_not_exact", "12345678901234567"],
  ["transaction_code",    's="1"><v>1234</v>',           "code_not_text",    "1234"],
  ["account_name",        't="d"><v>2026-01-05</v>',     "cell_is_a_date",   "2026-01-05"],
  ["transaction_amount",  "><v>1234567890123456</v>",   "number_not_exact", "1234567890123456"],
  ["transaction_amount",  's="2"><v>0.5</v>',            "amount_shown_otherwise", "0.5"],
  ["reference",           's="1"><v>7</v>',              "digits_not_kept",  "7"],
])("F88 exports a %s that a workbook damaged (%s, %s) as lost, and its hint shows the value read", async (column, content, code, found) => {
  const read = await readWith(column, content, STYLES);
  expect(problemsOf(read.verdicts[0])).toContain(`${column} ${code}`);
  const file = rejectsOf(read);
  expect(file).toContain(`It was read as ${found}. `);
  const [row] = await readBack(file);
  expect(row).toMatchObject({ kind: "rejected", line: 2 });
  expect(row?.cells[[...HEADER, "transaction_code", "reference"].indexOf(column)]).toBe("\ufffd");
});

test("F88 accepts a value that someone entered in place of a damaged one", async () => {
  const file = rejectsOf(await readWith("bank_account_number", 's="1"><v>12345678</v>', STYLES));
  const [row] = await readBack(file.replace("\ufffd", "0012345678"));
  expect(row).toMatchObject({ draft: { details: { bank_account_number: "0012345678" } } });
});
