import { describe, expect, test } from "vitest";
import { openFile } from "#intake/file-reader.ts";
import { UNPACKED_BYTES_MAX } from "#intake/text/file-limits.ts";
import { DEFAULT_ROW_SETTINGS } from "#intake/row-settings.ts";
import { type Entry, text, zipOf } from "./workbook/archive.ts";
import {
  bookOf,
  cell,
  GOOD,
  HEAD,
  HEADER,
  PARTS,
  put,
  readBook,
  rowOf,
  sheetOf,
} from "./workbook/workbook-parts.ts";

/** Fewer in mutation tests. */
const LAST_ROW = Number(process.env["SHEET_ROWS"] ?? 200_000);

test("keeps text cells unchanged, including zeros", async () => {
  const { verdicts, facts } = await readBook(await bookOf(GOOD));
  expect(facts).toMatchObject({ encoding: "XLSX", columns: HEADER });
  expect(verdicts).toMatchObject([
    {
      kind: "draft",
      line: 2,
      warnings: [],
      draft: { details: { bank_account_number: "00501000001234" } },
    },
  ]);
});

test("skips empty rows and reports the lines of the sheet", async () => {
  const { verdicts } = await readBook(await bookOf(GOOD, [null], put(4, "00501000001235")));
  expect(verdicts.map(({ line }) => line)).toEqual([2, 4]);
});

const codesOf = async (book: Buffer) => (await readBook(book)).fileProblems.map(({ code }) => code);
const BOMB = Buffer.alloc(80 * 1024 ** 2);

test("F86 refuses a workbook that unpacks to too much, or to more than it declares", async () => {
  expect(await codesOf(zipOf({ name: sheetOf().name, content: BOMB }))).toEqual([
    "workbook_too_large",
  ]);
  expect(await codesOf(zipOf({ name: sheetOf().name, content: BOMB, said: 1_000 }))).toEqual([
    "workbook_broken",
  ]);
});

test.each([
  [
    "a truncated archive",
    async () => (await bookOf(GOOD)).subarray(0, 900),
    "workbook_broken",
    "its archive is damaged",
  ],
  [
    "an archive with a password",
    async () => zipOf({ ...text("a.csv", "a"), flags: 1 }),
    "workbook_broken",
    "its archive is password-protected",
  ],
  [
    "an archive of another kind",
    async () => zipOf(text("a.txt", "a")),
    "file_not_text",
    "a ZIP archive without a worksheet",
  ],
  [
    "an invalid sheet",
    async () => zipOf({ ...sheetOf(), content: Buffer.from("<x") }),
    "workbook_broken",
    "xl/_rels/workbook.xml.rels",
  ],
])("refuses %s with a message", async (_what, book, code, why) => {
  const { fileProblems } = await readBook(await book());
  expect(fileProblems).toMatchObject([{ code, message: expect.stringContaining(why) }]);
});

const FAR = `<row r="1048576">${cell("XFD1048576", "x")}</row>`;

test.each([
  ["two cells far apart", FAR, "column 16384"],
  ["a row after the last one", `<row r="1048577">${cell("A1048577", "x")}</row>`, "row 1048577"],
  ["rows without a number", "<row/>".repeat(1_048_576), "row 1048577"],
  ["an invalid row number", `<row r="1e9">${cell("A2", "x")}</row>`, "address"],
  ["an address in symbols", `<row r="2">${cell("&#88;FD2", "x")}</row>`, "address"],
  ["a second address", `<row r="2"><c r="A2" x:r="XFD2"><v>1</v></c></row>`, "address"],
  ["an address after a bracket", `<row r="2"><c t=">" r="XFD2"><v>1</v></c></row>`, "address"],
  ["names with a prefix", FAR.replaceAll("<c ", "<x:c ").replaceAll("</c>", "</x:c>"), "column"],
  ["many cells", `<row r="1048576">${cell("Z1048576", "x")}</row>`, "27262976 cells"],
  ["a second table", `</sheetData><sheetData>${rowOf(2, GOOD)}`, "more than one table"],
])("F86 refuses a sheet that would fill the memory: %s", async (_what, row, why) => {
  const { fileProblems, verdicts } = await readBook(zipOf(...PARTS, sheetOf(HEAD, row)));
  expect(fileProblems.map(({ code }) => code)).toEqual(["workbook_broken"]);
  expect(fileProblems[0]?.message).toContain(why);
  expect(verdicts).toEqual([]);
});

test("allows an oversized sheet that is not read, and cells without content anywhere", async () => {
  const empty = `<row r="1048576"><c r="XFD1048576" s="1"/></row>`;
  const other = { ...sheetOf(FAR), name: "xl/worksheets/sheet2.xml" };
  const book = zipOf(...PARTS, sheetOf(HEAD, rowOf(2, GOOD), empty), other);
  const { verdicts } = await readBook(book);
  expect(verdicts).toMatchObject([{ kind: "draft", line: 2 }]);
});

test(`reads a legal sheet of ${LAST_ROW} rows and 20 columns to its last row`, async () => {
  const look = (line: number) => `<row r="${line}"><c r="A${line}" s="1"/></row>`;
  const looks = Array.from({ length: LAST_ROW - 2 }, (_, at) => look(at + 2));
  const end = rowOf(LAST_ROW, GOOD).replace("</row>", `${cell(`T${LAST_ROW}`, " ")}</row>`);
  const book = zipOf(...PARTS, sheetOf(HEAD, looks.join(""), end));
  const { fileProblems, verdicts } = await readBook(book);
  expect(fileProblems).toEqual([]);
  expect(verdicts).toMatchObject([{ kind: "draft", line: LAST_ROW }]);
});

test("F86 does not read entries that the directory of an archive omits", async () => {
  const hidden: Entry = { ...sheetOf(HEAD, rowOf(2, put(0, "U-2"))), isHidden: true };
  const good = sheetOf(HEAD, rowOf(2, GOOD));
  for (const book of [zipOf(...PARTS, good, hidden), zipOf(hidden, ...PARTS, good)]) {
    const { verdicts } = await readBook(book);
    expect(verdicts).toMatchObject([{ kind: "draft", draft: { details: { user_id: "U-1" } } }]);
  }
  const bomb: Entry = { name: "xl/sharedStrings.xml", content: BOMB, isHidden: true };
  expect((await readBook(zipOf(...PARTS, good, bomb))).verdicts).toHaveLength(1);
});

test("F86 reserves no memory for a false declared size", async () => {
  const good = sheetOf(HEAD, rowOf(2, GOOD));
  const huge = 0xffff_ffff;
  expect(await codesOf(zipOf(...PARTS, { ...good, said: huge }))).toEqual(["workbook_too_large"]);
  const { verdicts } = await readBook(zipOf(...PARTS, { ...good, saidBefore: huge }));
  expect(verdicts).toMatchObject([{ kind: "draft" }]);
});

test("treats a formula with an empty text as an empty cell", async () => {
  const empty = '<c r="Z2" t="str"><f>""</f><v></v></c>';
  const { verdicts } = await readBook(
    zipOf(...PARTS, sheetOf(HEAD, rowOf(2, GOOD).replace("</row>", `${empty}</row>`))),
  );
  expect(verdicts).toHaveLength(1);
});

test("reports the other content of a workbook: sheets, formulas, macros", async () => {
  const book = zipOf(
    ...PARTS,
    sheetOf(HEAD, rowOf(2, GOOD, "<f>A1</f>")),
    text("xl/worksheets/sheet2.xml", "<worksheet><sheetData/></worksheet>"),
    text("xl/vbaProject.bin", "macros"),
  );
  const { fileProblems, verdicts } = await readBook(book);
  expect(fileProblems.map(({ code }) => code)).toEqual([
    "sheets_ignored",
    "formulas_read",
    "macros_ignored",
  ]);
  expect(fileProblems[0]?.message).toContain("Pay");
  expect(verdicts).toMatchObject([{ kind: "draft" }]);
});

describe("findings for a workbook", () => {
  const sheet = sheetOf(HEAD, rowOf(2, GOOD));

  test("has none for one sheet without formulas or macros", async () => {
    expect(await codesOf(zipOf(...PARTS, sheet))).toEqual([]);
  });

  test("ignores parts near its sheets", async () => {
    const near = [
      "xl/worksheets/_rels/sheet1.xml.rels",
      "xl/worksheets/sheet1.xml.bak",
      "x/xl/worksheets/a.xml",
    ];
    const others = near.map((name) => text(name, "<f>"));
    expect(await codesOf(zipOf(...PARTS, sheet, ...others))).toEqual([]);
  });

  test.each(["<f>A1</f>", '<f t="shared" si="0">A1</f>'])(
    "reports the formula %s",
    async (formula) => {
      const book = zipOf(...PARTS, sheetOf(HEAD, rowOf(2, GOOD, formula)));
      expect(await codesOf(book)).toEqual(["formulas_read"]);
    },
  );

  test("names the sheet that is read and the number of sheets", async () => {
    const other = { ...sheet, name: "xl/worksheets/sheet2.xml" };
    const { fileProblems } = await readBook(zipOf(...PARTS, sheet, other));
    expect(fileProblems).toMatchObject([
      {
        code: "sheets_ignored",
        found: "Pay",
        message: "The workbook has 2 sheets. Only the first one, Pay, was read.",
      },
    ]);
  });

  test("mentions another sheet when the first one, such as the Numbers summary, has no header", async () => {
    const summary = sheetOf(rowOf(3, ["", "This document was exported from Numbers."]));
    const other = { ...sheet, name: "xl/worksheets/sheet2.xml" };
    expect(await codesOf(zipOf(...PARTS, summary, other))).toEqual([
      "columns_missing",
      "sheets_ignored",
    ]);
  });

  test.each(["xl/vbaProject.bin", "xl/VBAPROJECT.BIN"])("reports macros in %s", async (name) => {
    expect(await codesOf(zipOf(...PARTS, sheet, text(name, "x")))).toEqual(["macros_ignored"]);
  });

  test("refuses a workbook that exceeds the unpacked size limit", async () => {
    const start = Buffer.from([0x50, 0x4b, 0x03, 0x04]);
    let given = 0;
    async function* endless() {
      for (yield start; ; given += 1_000_000) yield Buffer.alloc(1_000_000);
    }
    const opened = await openFile(endless(), DEFAULT_ROW_SETTINGS);
    expect(opened).toMatchObject({
      ok: false,
      error: [
        { code: "workbook_too_large", message: expect.stringContaining(`${UNPACKED_BYTES_MAX}`) },
      ],
    });
    expect(given).toBeLessThan(UNPACKED_BYTES_MAX + 2_000_000);
  });
});
