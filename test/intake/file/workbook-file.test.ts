import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { openFile } from "#intake/file-reader.ts";
import { DEFAULT_FILE_LIMITS, type FileLimits } from "#intake/text/file-limits.ts";
import { DEFAULT_ROW_SETTINGS, type RowSettings } from "#intake/row-settings.ts";
import { inChunks } from "../../support/samples.ts";
import { zipOf } from "../workbook/archive.ts";
import {
  cell,
  GOOD,
  HEAD,
  HEADER,
  PARTS,
  rowOf,
  sheetOf,
  type Value,
} from "../workbook/workbook-parts.ts";

interface How {
  readonly limits?: Partial<FileLimits>;
  readonly settings?: Partial<RowSettings>;
  readonly isCorrection?: boolean;
  /** Number of bytes that arrive at once. */
  readonly pieceBytes?: number;
}

/** A workbook of these rows, as the product reads it. */
async function read(
  book: Buffer,
  { limits, settings, isCorrection = false, pieceBytes = 1_000 }: How = {},
) {
  const opened = await openFile(
    inChunks(book, pieceBytes),
    { ...DEFAULT_ROW_SETTINGS, ...settings },
    { limits: { ...DEFAULT_FILE_LIMITS, ...limits }, isCorrection },
  );
  if (!opened.ok) return { problems: opened.error, verdicts: [], end: null };
  const { rows, facts, end: endOf } = opened.value;
  const verdicts = [];
  for await (const chunk of rows) verdicts.push(...chunk);
  const end = endOf();
  return {
    problems: end.ok ? end.value.notes : end.error,
    verdicts,
    facts,
    end: end.ok ? end.value : null,
  };
}
const bookOf = (...rows: readonly string[]) => zipOf(...PARTS, sheetOf(...rows));
const codesOf = async (book: Buffer, how: How = {}) =>
  (await read(book, how)).problems.map(({ code }) => code);
/** The row with this XML in its third cell. */
const withAmount = (line: number, written: string) =>
  rowOf(line, GOOD).replace(cell(`C${line}`, String(GOOD[2])), `<c r="C${line}"${written}</c>`);
const account = (line: number): Value[] => GOOD.with(4, `0050100000${1000 + line}`);

test.each([1, 3, 4])(
  "recognises a workbook by its first bytes, even when they arrive %i at a time",
  async (pieceBytes) => {
    const book = bookOf(HEAD, rowOf(2, GOOD));
    const whole = await read(book);
    expect(whole.verdicts).toMatchObject([{ kind: "draft", line: 2 }]);
    expect(await read(book, { pieceBytes })).toEqual(whole);
  },
);

describe("header of a workbook", () => {
  test.each([
    ["no rows at all", bookOf()],
    ["rows without content", bookOf('<row r="1"/><row r="2"/>')],
    ["blank names", bookOf(rowOf(1, ["", " "]))],
  ])("reports an empty file for %s", async (_, book) => {
    expect(await codesOf(book)).toEqual(["file_empty"]);
  });

  test("has no rows when there is only a header", async () => {
    expect(await codesOf(bookOf(HEAD))).toEqual(["file_without_rows"]);
  });

  test("may be further down, between blanks, followed by empty names", async () => {
    const names = HEADER.map((name) => ` ${name} `);
    const { verdicts, facts, problems } = await read(
      bookOf(rowOf(3, [...names, "", ""]), rowOf(5, GOOD)),
    );
    expect(problems).toEqual([]);
    expect(facts).toMatchObject({ encoding: "XLSX", delimiter: ",", header: HEADER });
    expect(verdicts).toMatchObject([{ kind: "draft", line: 5, warnings: [] }]);
  });

  test("reports its problems with the line in the sheet", async () => {
    const { problems } = await read(bookOf(rowOf(3, [...HEADER, "user_id"]), rowOf(4, GOOD)));
    expect(problems).toMatchObject([{ code: "column_twice", line: 3 }]);
  });

  test.each([
    ["one title", [rowOf(1, ["Payout list November"])], 2],
    ["titles and blanks", [rowOf(1, ["Payout list"]), rowOf(3, ["By", "Ravi"])], 5],
    ["a number", ['<row r="2"><c r="A2"><v>2026</v></c></row>'], 22],
  ])("under %s is reported with its line, as in a CSV file", async (_, above, position) => {
    const { problems, verdicts } = await read(
      bookOf(...above, rowOf(position, [...HEADER, ""]), rowOf(position + 1, GOOD)),
    );
    expect(verdicts).toEqual([]);
    expect(problems).toMatchObject([
      {
        code: "header_further_down",
        found: expect.stringContaining("user_id,currency_code,"),
        message: `The header is not on the first line. It appears to be on line ${position}.`,
      },
    ]);
  });

  test.each([
    ["too far down", [rowOf(1, ["title"]), rowOf(22, HEADER)]],
    ["without a required name", [rowOf(1, ["title"]), rowOf(2, HEADER.slice(0, 3))]],
    ["under a line that holds a known name", [rowOf(1, ["user_id", "title"]), rowOf(2, HEADER)]],
  ])("is not searched for %s", async (_, rows) => {
    expect(await codesOf(bookOf(...rows))).toEqual(["columns_missing"]);
  });

  test("may have up to the maximum number of columns", async () => {
    const book = bookOf(HEAD, rowOf(2, GOOD));
    expect(await codesOf(book, { limits: { columnsMax: 8 } })).toEqual([]);
    const { problems } = await read(book, { limits: { columnsMax: 7 } });
    expect(problems).toMatchObject([
      { code: "workbook_broken", message: expect.stringContaining("to column 8, but at most 7") },
    ]);
  });

  test("names unknown columns and ignores their content", async () => {
    const date = '<c r="I2" t="d"><v>2026-01-05</v></c>';
    const { problems, verdicts } = await read(
      bookOf(rowOf(1, [...HEADER, "remark"]), rowOf(2, GOOD).replace("</row>", `${date}</row>`)),
    );
    expect(problems.map(({ code, column }) => [code, column])).toEqual([
      ["column_ignored", "remark"],
    ]);
    expect(verdicts).toMatchObject([{ kind: "draft", warnings: [] }]);
  });
});

describe("rows of a workbook", () => {
  test("are read up to the maximum number", async () => {
    const book = bookOf(HEAD, rowOf(2, account(2)), rowOf(3, account(3)));
    expect(await codesOf(book, { limits: { rowsMax: 2 } })).toEqual([]);
    const { problems } = await read(book, { limits: { rowsMax: 1 } });
    expect(problems).toMatchObject([
      { code: "rows_too_many", message: "The file has more than 1 rows." },
    ]);
  });

  test("are counted, including rejected rows and warnings", async () => {
    const book = bookOf(
      HEAD,
      rowOf(2, account(2)),
      rowOf(3, account(3).with(1, "XXX")),
      rowOf(4, account(4)).replace(
        cell("E4", "00501000001004"),
        '<c r="E4"><v>501000001004</v></c>',
      ),
    );
    const digest = createHash("sha256").update(book).digest("hex");
    const { end, verdicts } = await read(book);
    expect(verdicts.map(({ kind, line }) => `${line} ${kind}`)).toEqual([
      "2 draft",
      "3 rejected",
      "4 draft",
    ]);
    expect(end).toEqual({ digest, rows: 3, rejected: 1, warnings: 1, notes: [] });
  });

  test("arrive in chunks, each row once", async () => {
    const lines = Array.from({ length: 1_001 }, (_, at) => at + 2);
    const { verdicts, end } = await read(
      bookOf(HEAD, ...lines.map((line) => rowOf(line, account(line)))),
    );
    expect(verdicts.map(({ line }) => line)).toEqual(lines);
    expect(end?.rows).toBe(1_001);
  });

  test("are skipped when they hold only blanks and empty texts", async () => {
    const { verdicts } = await read(bookOf(HEAD, rowOf(2, ["", ""]), rowOf(3, GOOD)));
    expect(verdicts.map(({ line }) => line)).toEqual([3]);
  });

  test("with fewer cells lack the missing values", async () => {
    const { verdicts } = await read(bookOf(HEAD, rowOf(2, GOOD.slice(0, 3))));
    expect(verdicts).toMatchObject([
      {
        kind: "rejected",
        problems: expect.arrayContaining([expect.objectContaining({ column: "account_name" })]),
      },
    ]);
  });
});

describe("cell values", () => {
  test.each([
    [">", "<v>1234.5</v>", 123_450n],
    ["> with trailing zeros", "<v>1234.50</v>", 123_450n],
    ["> whole, with zeros", "<v>1200</v>", 120_000n],
    ["> in scientific notation", "<v>1.5E3</v>", 150_000n],
    ["> a fraction, as exactly as it is stored", "<v>19.989999999999998</v>", 1_999n],
  ])("reads a number%s", async (_, value, minor) => {
    const { verdicts } = await read(bookOf(HEAD, withAmount(2, `>${value}`)));
    expect(verdicts).toMatchObject([{ kind: "draft", draft: { money: { minor } } }]);
  });

  test.each(["1234.5000000000001E+20", "1E+15", "0.1234567890123456789"])(
    "refuses the number %s, which is not exact or not payable",
    async (value) => {
      const { verdicts } = await read(bookOf(HEAD, withAmount(2, `><v>${value}</v>`)));
      expect(verdicts).toMatchObject([{ kind: "rejected" }]);
    },
  );

  test.each(["0x1F", "0b11", "0o17", "1_000", " 31 ", "31.", ".5", "+31", "1e", "Infinity", ""])(
    "refuses %j, which no workbook writes as a number",
    async (value) => {
      const { verdicts } = await read(bookOf(HEAD, withAmount(2, `><v>${value}</v>`)));
      expect(verdicts.filter(({ kind }) => kind === "draft")).toEqual([]);
    },
  );

  test("gives a number the decimal separator of the file's amounts", async () => {
    const how = { settings: { amountStyle: "1.234,56" as const } };
    const { verdicts } = await read(bookOf(HEAD, withAmount(2, "><v>1234.5</v>")), how);
    expect(verdicts).toMatchObject([{ kind: "draft", draft: { money: { minor: 123_450n } } }]);
  });

  test.each([
    ["1", "TRUE"],
    ["0", "FALSE"],
  ])("reads the truth value %s", async (value, found) => {
    const { verdicts } = await read(bookOf(HEAD, withAmount(2, ` t="b"><v>${value}</v>`)));
    expect(verdicts).toMatchObject([{ kind: "rejected", problems: [{ found }] }]);
  });

  test("reads a date as its day", async () => {
    const { verdicts } = await read(bookOf(HEAD, withAmount(2, ' t="d"><v>2026-01-05</v>')));
    expect(verdicts).toMatchObject([
      {
        kind: "rejected",
        problems: [
          { code: "amount_is_a_date", found: "2026-01-05" },
          { code: "cell_is_a_date", found: "2026-01-05", line: 2, column: "transaction_amount" },
        ],
      },
    ]);
  });

  test("warns about a number in a text column, but not in an amount column", async () => {
    const row = rowOf(2, GOOD)
      .replace(cell("C2", "100.00"), '<c r="C2"><v>100</v></c>')
      .replace(cell("A2", "U-1"), '<c r="A2"><v>17</v></c>');
    const { verdicts } = await read(bookOf(HEAD, row));
    expect(verdicts).toMatchObject([
      {
        kind: "draft",
        warnings: [{ code: "number_not_text", column: "user_id", found: "17", line: 2 }],
      },
    ]);
  });
});

describe("rejected rows that are uploaded again", () => {
  const names = [...HEADER, "line", "reason"];
  const back = (line: Value) => bookOf(rowOf(1, names), rowOf(2, [...GOOD, line, "bad_ifsc"]));

  test("keep the lines of their original file", async () => {
    const { verdicts, problems } = await read(back("17"), { isCorrection: true });
    expect(problems).toEqual([]);
    expect(verdicts).toMatchObject([{ kind: "draft", line: 17 }]);
  });

  test("are refused with an invalid line", async () => {
    const { verdicts, problems } = await read(back("x"), { isCorrection: true });
    expect(verdicts).toEqual([]);
    expect(problems).toMatchObject([{ code: "line_missing", line: 2, column: "line", found: "x" }]);
  });

  test("are refused without their lines", async () => {
    expect(await codesOf(bookOf(HEAD, rowOf(2, GOOD)), { isCorrection: true })).toEqual([
      "line_column_missing",
    ]);
  });

  test("have unknown columns and their own lines when uploaded as a new file", async () => {
    const { verdicts, problems } = await read(back("17"));
    expect(problems.map(({ column }) => column)).toEqual(["line", "reason"]);
    expect(verdicts).toMatchObject([{ line: 2 }]);
  });
});
