import { describe, expect, test } from "vitest";
import { marksOf } from "#intake/workbook/cell-marks.ts";
import { formatOf } from "#intake/workbook/number-formats.ts";

const PLAIN = formatOf("General");
const DATE = formatOf("yyyy");
const ZEROS = formatOf("00");
const OWN = formatOf('General"0"');
const ROUNDED = formatOf("#.00");
const TEXT = formatOf('General;-General;General;"9"@');
const FORMATS = [PLAIN, DATE, ZEROS, OWN, ROUNDED, TEXT];
const sheet = (rows: string, columns = "") =>
  `<worksheet>${columns}<sheetData>${rows}</sheetData></worksheet>`;

describe("format of a cell", () => {
  test.each([
    ["a date", '<c r="B3" s="1"><v>1</v></c>', DATE],
    ["zeros", "<x:c s='2' r='B3' t='n'><v>1</v></x:c>", ZEROS],
    ["own digits", '<c r="B3" s="3"><v>1</v></c>', OWN],
    ["fixed number of decimals", '<c r="B3" s="4"><v>1</v></c>', ROUNDED],
    ["one that shows the number unchanged", '<c r="B3" s="0"><v>1</v></c>', undefined],
    ["one that does not exist", '<c r="B3" s="9"><v>1</v></c>', undefined],
    ["on a text", '<c r="B3" s="1" t="s"><v>1</v></c>', undefined],
    ["on a text from a formula", '<c r="B3" s="1" t="str"><v>1</v></c>', undefined],
    ["on an inline text", '<c r="B3" s="1" t="inlineStr"><is><t>1</t></is></c>', undefined],
    ["on an error", '<c r="B3" s="1" t="e"><v>#N/A</v></c>', undefined],
    ["with an own sign for texts", '<c r="B3" s="5" t="inlineStr"><is><t>1</t></is></c>', TEXT],
    ["with an own sign for texts, on a number", '<c r="B3" s="5"><v>1</v></c>', undefined],
    ["on another cell", '<c r="B4" s="1"/><c r="AB3" s="1"/>', undefined],
  ])("%s", (_, cell, format) => {
    expect(marksOf(sheet(cell), FORMATS).formatAt(3, 1)).toBe(format);
  });

  test("is found in the last column of a sheet", () => {
    const marks = marksOf(sheet('<c r="XFD3" s="1"/>'), FORMATS);
    expect([marks.formatAt(3, 16_383), marks.formatAt(4, 0)]).toEqual([DATE, undefined]);
  });

  test("defaults to the first format", () => {
    const cell = sheet('<c r="A1"><v>1</v></c>');
    expect(marksOf(cell, [DATE]).formatAt(1, 0)).toBe(DATE);
    expect(marksOf(cell, []).formatAt(1, 0)).toBeUndefined();
  });
});

const hiddenRows = (rows: string) => {
  const marks = marksOf(sheet(rows), []);
  return [1, 2, 3, 4].filter((line) => marks.isRowHidden(line));
};

test.each([
  ['<row r="1"/><row r="2" hidden="1"/><row r="4" hidden="true"/>', [2, 4]],
  ["<x:row r='3' hidden='1' />", [3]],
  ['<row/><row hidden="1"><c r="A2"/></row><row r="4" hidden="0"><c r="A4"/></row>', [2]],
  ['<row r="1"/><row hidden="1"><c r="B3"/><c r="C3"/></row><row><c r="A4"/></row>', [3]],
  ['<row hidden="1"/><row><c r="A2"/></row>', []],
  ['<row r="1" hidden="false"/>', []],
  ["<row r='2' hidden='true'/>", [2]],
  ['<x:row r="2" x:hidden="1"/>', [2]],
  ['<row r="10" hidden="1"/>', []],
  ['<row r="1" ht="0" customHeight="1"/><row r="2" ht="0.75"/><row r="3" ht="1"/>', [1, 2]],
])("finds hidden rows of %s", (rows, lines) => {
  expect(hiddenRows(rows)).toEqual(lines);
});

test("handles line numbers with many digits", () => {
  const rows = '<row r="1048576" hidden="1"><c r="B1048576" s="1"/></row>';
  const marks = marksOf(sheet(rows), FORMATS);
  expect([marks.isRowHidden(1_048_576), marks.isRowHidden(1)]).toEqual([true, false]);
  expect([marks.formatAt(1_048_576, 1), marks.formatAt(1, 1)]).toEqual([DATE, undefined]);
});

const hiddenColumns = (columns: string) => {
  const marks = marksOf(sheet("", columns), []);
  return [0, 1, 2, 3, 4, 5].filter((place) => marks.isColumnHidden(place));
};

test("hides columns from the first to the last index named", () => {
  const columns =
    '<cols><col min="2" max="3" hidden="1"/><col min="4" max="4"/><col min="5" max="5" hidden="1"/></cols>';
  expect(hiddenColumns(columns)).toEqual([1, 2, 4]);
});

test.each([
  ["<col min='2' max='2' hidden = 'true'/>", [1]],
  ['<x:col min="2" max="2" x:hidden="1"/>', [1]],
  ["<col min='2' max='2' width  =  '0.9'/>", [1]],
  ['<col min="2" max="2" hidden="0" width="9"/>', []],
  ['<col min="1" max="1" width="10"/><col min="2" max="2" hidden="false"/>', []],
])("finds hidden columns of %s", (columns, places) => {
  expect(hiddenColumns(`<cols>${columns}</cols>`)).toEqual(places);
});

test("treats columns without a width as hidden", () => {
  const columns =
    '<cols><col min="1" max="1" width="1"/><col min="2" max="2" width="0"/><col min="3" max="3" width="0.5"/></cols>';
  expect(hiddenColumns(columns)).toEqual([1, 2]);
});
