import { describe, expect, test } from "vitest";
import { gridProblem } from "#intake/workbook/grid.ts";

const COLUMNS_MAX = 200;
const sheet = (rows: string) =>
  Buffer.from(`<worksheet><sheetData>${rows}</sheetData></worksheet>`);
const problemOf = (rows: string, columnsMax = COLUMNS_MAX) => gridProblem(sheet(rows), columnsMax);
const ODD = "a row or cell in its sheet has a missing or invalid address";

test.each([":", "x::", "a:b:"])("refuses a sheet whose tags begin with %s", (prefix) => {
  const rows = `<${prefix}row r="1" hidden="1"><${prefix}c r="A1"><${prefix}v>1</${prefix}v></${prefix}c></${prefix}row>`;
  expect(problemOf(rows)).toBe("a row or cell in its sheet has an invalid XML name");
});

test("accepts a part without a grid", () => {
  expect(gridProblem(Buffer.from('<styles><c r="x"/></styles>'), COLUMNS_MAX)).toBeNull();
});

describe("tags as programs write them", () => {
  test.each([
    ["nothing", ""],
    ["a cell with content", '<row r="2"><c r="A2"><v>1</v></c></row>'],
    ["a cell without content", '<row r="2"><c r="A2"/></row>'],
    ["single quotes", "<row r='2'><c r='A2'><v>1</v></c></row>"],
    [
      "other attributes before and after",
      '<row spans="1:3" r="2" ht="15"><c s="1" r="A2" t="s"/></row>',
    ],
    ["an attribute that ends in r", '<row dr="x" r="2"><c xr="y" r="A2"/></row>'],
    ["blanks, tabs and line ends", '<row\n\tr="2"  ><c\r\n r="A2"\t /></row>'],
    ["names with a prefix", '<x:row r="2"><x:c r="A2"/></x:row>'],
    ["columns, which are not cells", '<cols><col min="1"/></cols><row r="2"/>'],
    ["a row without a number", '<row><c r="A1"/></row>'],
    ["rows without numbers", '<row><c r="A1"/><c r="B1"/></row><row><c r="A2"/></row>'],
    ["a row without a number after one with a number", '<row r="1"/><row><c r="A2"/></row>'],
    ["the last cell of a sheet, without content", '<row r="1048576"><c r="XFD1048576"/></row>'],
  ])("accepts %s", (_, rows) => {
    expect(problemOf(rows)).toBeNull();
  });
});

describe("invalid addresses", () => {
  test.each([
    ["a cell without one", "<row><c><v>1</v></c></row>"],
    ["a cell with only the row number", '<row><c r="2"/></row>'],
    ["a cell of another row", '<row r="2"><c r="A3"/></row>'],
    ["a second cell of another row", '<row r="2"><c r="A2"/><c r="B3"/></row>'],
    ["cells of two rows in one without a number", '<row><c r="A2"/><c r="B3"/></row>'],
    ["a row with letters", '<row r="A2"/>'],
    ["small letters", '<c r="a2"/>'],
    ["four letters", '<c r="AAAA2"/>'],
    ["row 0", '<c r="A0"/>'],
    ["eight digits", '<row r="12345678"/>'],
    ["a character before it", '<row r="-2"/>'],
    ["a character after it", '<row r="2-"/>'],
    ["two of them", '<row r="2" x:r="3"/>'],
    ["one without quotes", "<row r=2>"],
    ["one whose quotes are not closed", '<row r="2><c/>'],
    ["a tag that never ends", '<row r="2"'],
  ])("%s", (_, rows) => {
    expect(problemOf(rows)).toBe(ODD);
  });
});

describe("limits", () => {
  test.each([
    ["GR", 200, null],
    ["GS", 201, "its sheet extends to column 201, but at most 200 columns are read"],
    ["ALM", 1_001, "its sheet extends to column 1001, but at most 200 columns are read"],
  ])("reads column %s as number %d", (letters, _, problem) => {
    expect(problemOf(`<row r="1"><c r="${letters}1"><v>1</v></c></row>`)).toBe(problem);
  });

  test("uses the widest row, not the last", () => {
    const rows = '<row r="1"><c r="C1"><v>1</v></c></row><row r="2"><c r="A2"><v>1</v></c></row>';
    expect(problemOf(rows, 2)).toContain("to column 3,");
  });

  test("ends a sheet at row 1,048,576", () => {
    expect(problemOf('<row r="1048576"/>')).toBeNull();
    expect(problemOf('<row r="1048577"/>')).toBe(
      "its sheet extends to row 1048577, but a sheet has at most 1048576 rows",
    );
    expect(problemOf('<row r="1048576"/><row/>')).toContain("to row 1048577,");
    expect(problemOf('<row r="1048577"/><row r="3"/>')).toContain("to row 1048577,");
  });

  test("reads ten million cells, including the gaps between them", () => {
    const corner = (line: number, end = "><v>1</v></c>") =>
      `<row r="${line}"><c r="J${line}"${end}</row>`;
    expect(problemOf(corner(1_000_000))).toBeNull();
    expect(problemOf(corner(1_000_001))).toBe(
      "its sheet extends over 10000010 cells, but at most 10000000 are read",
    );
    expect(problemOf(corner(1_000_000) + corner(1_000_001, "/>"))).toBeNull();
    expect(problemOf(`${corner(1_000_000)}<row/>`)).toContain("over 10000010 cells");
  });

  test("allows one table of cells", () => {
    const two = Buffer.from("<sheetData></sheetData><sheetData/>");
    expect(gridProblem(two, COLUMNS_MAX)).toBe("its sheet contains more than one table of cells");
  });

  test("finds a tag even in a comment, where some readers would use it", () => {
    expect(problemOf('<!-- <row r="9999999"/> -->')).toContain("to row 9999999,");
  });
});
