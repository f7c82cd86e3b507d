/** payrun reads from a workbook what spreadsheet programs show, or refuses it with a message. */
import { describe, expect, test } from "vitest";
import { DEFAULT_ROW_SETTINGS } from "#intake/row-settings.ts";
import { inChunks, readFile } from "../../support/samples.ts";
import { type Entry, text, zipOf } from "../workbook/archive.ts";
import { cell, GOOD, HEAD, HEADER, PARTS, rowOf, sheetOf } from "../workbook/workbook-parts.ts";

const read = (...parts: readonly Entry[]) =>
  readFile(inChunks(zipOf(...parts), 1_000), DEFAULT_ROW_SETTINGS);
const ROW = rowOf(2, GOOD);
/** The good row with different content in this cell. */
const withCell = (place: string, other: string) => {
  const value = GOOD["ABCDEFGH".indexOf(place[0] ?? "")];
  return ROW.replace(cell(place, String(value)), other);
};
const withText = (place: string, content: string) => withCell(place, cell(place, content));
const brokenBy = (why: string) => `The workbook cannot be read: ${why}.`;
/** The findings for a refused workbook. */
const refusal = async (...parts: readonly Entry[]) => {
  const { fileProblems, verdicts } = await read(...parts);
  return verdicts.length === 0
    ? fileProblems.map(({ message }) => message).join(" ")
    : "it is read";
};
const SHEET = "xl/worksheets/sheet1.xml";

describe("a text in several parts", () => {
  test.each([
    ["an account that contains a comment", withText("E2", "5526<!-- -->0181590831")],
    ["an amount", withCell("C2", '<c r="C2"><v>1<!---->500.5</v></c>')],
    ["a name", withText("D2", "Asha <![CDATA[& Ravi]]> Verma")],
  ])("is not paid by its last part: %s", async (_, row) => {
    const why = `its part ${SHEET} contains a comment, a CDATA section or an instruction, which spreadsheets never write`;
    expect(await refusal(...PARTS, sheetOf(HEAD, row))).toBe(brokenBy(why));
  });

  test("is refused among shared texts", async () => {
    const strings = text("xl/sharedStrings.xml", "<sst><si><t>5526<x/>0181590831</t></si></sst>");
    const row = withCell("E2", '<c r="E2" t="s"><v>0</v></c>');
    const why =
      "its part xl/sharedStrings.xml contains text split into several pieces, which spreadsheets never write";
    expect(await refusal(...PARTS, sheetOf(HEAD, row), strings)).toBe(brokenBy(why));
  });

  test("is ignored on a sheet that is not read", async () => {
    const other = { ...sheetOf("<!-- -->"), name: "xl/worksheets/sheet2.xml" };
    const { verdicts } = await read(...PARTS, sheetOf(HEAD, ROW), other);
    expect(verdicts).toMatchObject([{ kind: "draft" }]);
  });
});

test("reads shared texts wherever they are, and decodes letters from distant code points", async () => {
  const [workbook, relations] = PARTS;
  const strings = `<Relationship Id="s" Type="x/sharedStrings" Target="/texts.xml"/></Relationships>`;
  const rels = String(relations?.content).replace("</Relationships>", strings);
  const { verdicts } = await read(
    text("xl/workbook.xml", String(workbook?.content)),
    text("xl/_rels/workbook.xml.rels", rels.replace("worksheets/sheet1", "sheets/one")),
    text("texts.xml", "<sst><si><t>&#134071;野</t></si></sst>"),
    { ...sheetOf(HEAD, withCell("D2", '<c r="D2" t="s"><v>0</v></c>')), name: "xl/sheets/one.xml" },
    text("xl/worksheets/sheet9.xml", "<worksheet/>"),
  );
  expect(verdicts).toMatchObject([{ kind: "draft", draft: { details: { account_name: "𠮷野" } } }]);
});

/** One format per code; the first cell format is the default. */
const stylesOf = (...codes: readonly string[]) => {
  const formats = codes.map((code, at) => `<numFmt numFmtId="${200 + at}" formatCode="${code}"/>`);
  const cells = codes.map((_, at) => `<xf numFmtId="${200 + at}"/>`);
  return text(
    "xl/styles.xml",
    `<styleSheet><numFmts>${formats.join("")}</numFmts><cellXfs><xf numFmtId="0"/>${cells.join("")}<xf numFmtId="14"/></cellXfs></styleSheet>`,
  );
};
const problemsOf = async (row: string, styles: Entry) => {
  const [verdict] = (await read(...PARTS, sheetOf(HEAD, row), styles)).verdicts;
  const problems = verdict?.kind === "draft" ? verdict.warnings : verdict?.problems;
  return [verdict?.kind, ...(problems ?? []).map(({ code, found }) => `${code} ${found}`)];
};

describe("F88 a number shown as a day", () => {
  test.each(["yyyymmdd", "[$-411]ge.m.d;@"])("is not an amount: %s", async (code) => {
    const row = withCell("C2", '<c r="C2" s="1"><v>46027</v></c>');
    expect(await problemsOf(row, stylesOf(code))).toEqual([
      "rejected",
      "amount_is_a_date 2026-01-05",
      "cell_is_a_date 2026-01-05",
    ]);
  });

  test("is refused in every other column", async () => {
    const row = withCell("E2", '<c r="E2" s="1"><v>46027.5</v></c>');
    expect(await problemsOf(row, stylesOf("ddmmyyyy"))).toContain("cell_is_a_date 2026-01-05");
  });

  test("beyond the last valid day is shown as the number", async () => {
    const row = withCell("C2", '<c r="C2" s="2"><v>1E+300</v></c>');
    expect(await problemsOf(row, stylesOf("0"))).toContain("cell_is_a_date 1E+300");
  });

  test("counts from 1904 when the workbook says so", async () => {
    const [workbook, relations] = PARTS;
    const content = String(workbook?.content).replace(
      "<sheets>",
      '<workbookPr date1904="1"/><sheets>',
    );
    const row = withCell("C2", '<c r="C2" s="1"><v>44565</v></c>');
    const { verdicts } = await read(
      text("xl/workbook.xml", content),
      { ...text("", ""), ...relations, name: "xl/_rels/workbook.xml.rels" },
      sheetOf(HEAD, row),
      stylesOf("yyyy"),
    );
    expect(verdicts).toMatchObject([{ problems: [{}, { found: "2026-01-05" }] }]);
  });
});

describe("F88 a number shown with zeros that it does not have", () => {
  test.each([
    ["0000000000", "12345678", ["rejected", "digits_not_kept 12345678"]],
    ["&quot;0&quot;#", "1234567890", ["rejected", "digits_not_kept 1234567890"]],
    ["00000000&quot;-01&quot;", "12345678", ["rejected", "digits_not_kept 12345678"]],
    ["0&quot;00&quot;", "12345679", ["rejected", "digits_not_kept 12345679"]],
    ["[&lt;=99999]00000;00000-0000", "12345678", ["rejected", "digits_not_kept 12345678"]],
    ["[&lt;=99999]00000;00000-0000", "123456789", ["draft", "number_not_text 123456789"]],
    ["0000000000", "1.2345678E7", ["rejected", "digits_not_kept 12345678"]],
    ["0000000000", "1234567890", ["draft", "number_not_text 1234567890"]],
    ["0", "12345678", ["draft", "number_not_text 12345678"]],
    ["0000000000", "12345678901234567", ["rejected", "number_not_exact 12345678901234567"]],
  ])("is handled in a text column: %s over %s", async (code, number, problems) => {
    const row = withCell("E2", `<c r="E2" s="1"><v>${number}</v></c>`);
    expect(await problemsOf(row, stylesOf(code))).toEqual(problems);
  });

  test.each(["#,##0,", "0%", ";;;"])(
    "is refused when another number is shown: %s",
    async (code) => {
      const row = withCell("E2", '<c r="E2" s="1"><v>12345678</v></c>');
      expect(await problemsOf(row, stylesOf(code))).toContain("digits_not_kept 12345678");
    },
  );

  test("is accepted as an amount", async () => {
    const row = withCell("C2", '<c r="C2" s="1"><v>150</v></c>');
    expect(await problemsOf(row, stylesOf("000000"))).toEqual(["draft"]);
  });
});

describe("F88 an amount shown differently than stored", () => {
  const amountIn = (code: string, number: string) =>
    problemsOf(withCell("C2", `<c r="C2" s="1"><v>${number}</v></c>`), stylesOf(code));

  test.each([
    ["#,##0,", "1500000"],
    ["0%", "0.5"],
    ["&quot;1&quot;000", "500"],
    ["0\\.00", "1500"],
    [";;;", "10"],
  ])("is refused: %s over %s", async (code, number) => {
    const problem = `amount_shown_otherwise ${number}`;
    expect(await amountIn(code, number)).toEqual(["rejected", problem]);
  });

  test.each([
    ["0", "99.6"],
    ["0.00E+00", "1234567"],
  ])("is a warning when fewer digits are shown: %s over %s", async (code, number) => {
    expect(await amountIn(code, number)).toEqual(["draft", `amount_shown_rounded ${number}`]);
  });

  test.each([
    ["General", "12345678.75"],
    ["General", "12345678.749999999"],
    ["#,##0.00", "1500.5"],
    ["#,##0.00", "19.989999999999998"],
    ["0", "100"],
    ["[$₹-4009]\\ #,##0.00", "1.5E3"],
    ["General", "99.65"],
  ])("is accepted without a finding in %s over %s", async (code, number) => {
    expect(await amountIn(code, number)).toEqual(["draft"]);
  });
});

describe("hidden content", () => {
  test("refuses a hidden first sheet", async () => {
    const [workbook, ...rest] = PARTS;
    const content = String(workbook?.content).replace('name="Pay"', 'name="Pay" state="hidden"');
    const parts = [text("xl/workbook.xml", content), ...rest, sheetOf(HEAD, ROW)];
    const { fileProblems, verdicts } = await read(...parts);
    expect(fileProblems).toMatchObject([{ code: "first_sheet_hidden", found: "Pay" }]);
    expect(verdicts).toEqual([]);
  });

  test("reads and counts hidden rows, except empty ones", async () => {
    const hide = (row: string) => row.replace("<row ", '<row hidden="1" ');
    const empty = '<row r="4" hidden="1"><c r="A4" s="1"/></row>';
    const { fileProblems, verdicts } = await read(
      ...PARTS,
      sheetOf(HEAD, hide(ROW), hide(rowOf(3, GOOD.with(4, "5010001234"))), empty),
    );
    expect(fileProblems).toMatchObject([{ code: "rows_hidden", severity: "warning" }]);
    expect(fileProblems[0]?.message).toContain("hidden rows (2).");
    expect(verdicts).toHaveLength(2);
  });

  test("counts rows without a number by the position of their cells", async () => {
    const hidden = rowOf(5, GOOD).replace('<row r="5">', '<row hidden="1">');
    const { fileProblems, verdicts } = await read(...PARTS, sheetOf(HEAD, hidden));
    expect(fileProblems).toMatchObject([{ code: "rows_hidden" }]);
    expect(verdicts).toMatchObject([{ kind: "draft", line: 5 }]);
  });

  test("reads and names hidden columns, except those without a name", async () => {
    const sheet = String(sheetOf(HEAD, ROW).content);
    const columns =
      '<cols><col min="4" max="5" hidden="1"/><col min="9" max="16384" hidden="1"/></cols>';
    const { fileProblems, verdicts } = await read(
      ...PARTS,
      text(SHEET, sheet.replace("<sheetData>", `${columns}<sheetData>`)),
    );
    expect(fileProblems).toMatchObject([{ code: "columns_hidden", severity: "warning" }]);
    expect(fileProblems[0]?.message).toContain(
      "hidden columns (account_name, bank_account_number).",
    );
    expect(verdicts).toMatchObject([{ kind: "draft" }]);
  });
});

describe("a cell after the header's columns", () => {
  test("rejects its row when filled, because the columns have shifted", async () => {
    const moved = rowOf(2, [...GOOD.slice(0, 4), "", ...GOOD.slice(4)]);
    const { verdicts } = await read(...PARTS, sheetOf(HEAD, moved, rowOf(3, GOOD)));
    expect(verdicts).toMatchObject([
      {
        kind: "rejected",
        problems: [{ code: "row_too_long", message: "The row has 9 cells, but the header has 8." }],
      },
      { kind: "draft", line: 3 },
    ]);
  });

  test.each([" ", "\u00a0"])("is ignored when blank (%j)", async (blank) => {
    const row = rowOf(2, [...GOOD, blank]);
    const { verdicts } = await read(...PARTS, sheetOf(HEAD, row));
    expect(verdicts).toMatchObject([{ kind: "draft" }]);
  });
});

test("ignores blank rows above and below the header", async () => {
  const blank = (line: number) => rowOf(line, [" ", "\u00a0", ""]);
  const { verdicts, facts } = await read(
    ...PARTS,
    sheetOf(blank(1), rowOf(2, HEADER), blank(3), rowOf(4, GOOD), blank(5)),
  );
  expect(facts?.columns).toEqual(HEADER);
  expect(verdicts).toMatchObject([{ kind: "draft", line: 4 }]);
});

describe("a workbook that cannot be read is reported with the reason", () => {
  test("an invalid cell, by its address", async () => {
    const row = withCell("C2", '<c r="C2" t="b"><v>7</v></c>');
    const why = "the content of row 2, column 3 in its sheet is not in the workbook format";
    expect(await refusal(...PARTS, sheetOf(HEAD, row))).toBe(brokenBy(why));
  });

  test("mismatched tags", async () => {
    const why = "one of its parts is not in the workbook format";
    expect(await refusal(...PARTS, text(SHEET, "<worksheet><sheetData></worksheet>"))).toBe(
      brokenBy(why),
    );
  });

  test("a part in UTF-16", async () => {
    const content = Buffer.from(`\ufeff${sheetOf(HEAD, ROW).content.toString()}`, "utf16le");
    expect(await refusal(...PARTS, { name: SHEET, content })).toBe(
      brokenBy(`its part ${SHEET} is not UTF-8`),
    );
  });

  test("styles in UTF-16", async () => {
    const content = Buffer.from("\ufeff<styleSheet/>", "utf16le");
    const styles = { name: "xl/styles.xml", content };
    expect(await refusal(...PARTS, sheetOf(HEAD, ROW), styles)).toBe(
      brokenBy("its part xl/styles.xml is not UTF-8"),
    );
  });

  test("a part that the archive holds twice", async () => {
    const twice = [sheetOf(HEAD, ROW), sheetOf(HEAD, ROW)];
    expect(await refusal(...PARTS, ...twice)).toBe(brokenBy("its archive has a duplicate part"));
  });

  test("an archive of another program", async () => {
    const { fileProblems } = await read(text("mimetype", "x"), text("content.xml", "<x/>"));
    expect(fileProblems).toMatchObject([
      { code: "file_not_text", message: expect.stringContaining("(ODS), not a CSV or XLSX file") },
    ]);
  });
});
