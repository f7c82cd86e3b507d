import { describe, expect, test } from "vitest";
import { locateParts, otherKind } from "#intake/workbook/workbook-parts.ts";

const relation = (id: string, kind: string, target: string) =>
  `<Relationship Id="${id}" Type="http://x/relationships/${kind}" Target="${target}"/>`;
const SHEETS =
  relation("a", "worksheet", "worksheets/sheet7.xml") + relation("b", "chartsheet", "c.xml");
const tab = (id: string, name: string, state = "") =>
  `<sheet name="${name}" sheetId="1" r:id="${id}"${state}/>`;
const book = (tabs: string, relations = SHEETS, before = "") =>
  locateParts(
    new Map([
      ["xl/workbook.xml", Buffer.from(`<workbook>${before}<sheets>${tabs}</sheets></workbook>`)],
      ["xl/_rels/workbook.xml.rels", Buffer.from(`<Relationships>${relations}</Relationships>`)],
      ["xl/worksheets/sheet7.xml", Buffer.from("<worksheet/>")],
    ]),
  );

test("finds the first sheet and the parts it needs", () => {
  const more = relation("c", "styles", "a.xml") + relation("d", "sharedStrings", "/b/c.xml");
  const tabs = tab("a", "Pay &amp; go") + tab("b", "Chart") + tab("a", "x");
  expect(book(tabs, SHEETS + more)).toEqual({
    ok: true,
    value: {
      sheet: { name: "Pay & go", path: "xl/worksheets/sheet7.xml" },
      tabs: 2,
      stylesPath: "xl/a.xml",
      stringsPath: "b/c.xml",
      is1904: false,
    },
  });
});

test("uses the standard paths for parts without a relation", () => {
  expect(book(tab("a", "Pay", ' state="visible"'))).toMatchObject({
    ok: true,
    value: { stylesPath: "xl/styles.xml", stringsPath: "xl/sharedStrings.xml" },
  });
});

test.each([
  ['<workbookPr date1904="1"/>', true],
  ['<workbookPr date1904="true"/>', true],
  ['<workbookPr date1904="0"/>', false],
  ["<workbookPr/>", false],
])("reads the date system of %s", (before, is1904) => {
  expect(book(tab("a", "Pay"), SHEETS, before)).toMatchObject({ value: { is1904 } });
});

describe("a first tab that cannot be read", () => {
  test.each(["hidden", "veryHidden"])("refuses a sheet that is %s", (state) => {
    expect(book(tab("a", "Old", ` state="${state}"`) + tab("a", "Pay"))).toMatchObject({
      ok: false,
      error: { code: "first_sheet_hidden", found: "Old", message: expect.stringContaining("Old,") },
    });
  });

  test("refuses a chart, hidden or not", () => {
    for (const state of ["", ' state="hidden"']) {
      expect(book(tab("b", "Chart", state) + tab("a", "Pay"))).toMatchObject({
        ok: false,
        error: {
          code: "first_tab_without_cells",
          found: "Chart",
          message: expect.stringContaining("Chart,"),
        },
      });
    }
  });

  test.each([
    ["no sheet", ""],
    ["a sheet without a part", tab("z", "Pay")],
  ])("%s", (_, tabs) => {
    expect(book(tabs)).toMatchObject({
      ok: false,
      error: {
        code: "workbook_broken",
        message: expect.stringContaining("declare its first sheet"),
      },
    });
  });

  test.each(["xl/workbook.xml", "xl/_rels/workbook.xml.rels"])(
    "refuses a workbook without %s",
    (missing) => {
      const paths = ["xl/workbook.xml", "xl/_rels/workbook.xml.rels"];
      const parts = paths
        .filter((path) => path !== missing)
        .map((path) => [path, Buffer.from("<x/>")] as const);
      expect(locateParts(new Map(parts))).toMatchObject({
        ok: false,
        error: { message: expect.stringContaining(`its part ${missing} is missing`) },
      });
    },
  );
});

test.each([
  [["xl/workbook.xml"], null],
  [["xl/worksheets/a.xml", "content.xml"], null],
  [["xl/workbook.bin", "xl/worksheets/sheet1.bin"], "a binary workbook (XLSB)"],
  [["_rels/.rels", "word/document.xml"], "a text document (DOCX)"],
  [["mimetype", "content.xml"], "an OpenDocument file, such as a spreadsheet (ODS)"],
  [["Index/Document.iwa"], "a Numbers file or another Apple document"],
  [["Index.zip"], "a Numbers file or another Apple document"],
  [["a.txt", "x/word/a", "x/content.xml"], "a ZIP archive without a worksheet"],
  [[], "a ZIP archive without a worksheet"],
])("identifies an archive of %j as %s", (names, kind) => {
  expect(otherKind(names)).toBe(kind);
});
