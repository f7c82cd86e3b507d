import { expect, test } from "vitest";
import { lostValues } from "#intake/workbook/lost-values.ts";

const lostIn = (cells: string) =>
  lostValues(`<sheetData><row r="2">${cells}</row></sheetData>`).map(({ line, place, lost }) =>
    `${line} ${place} ${lost}`.trim(),
  );

const prefixed = (cells: string) => cells.replaceAll(/<(\/?)(?=\w*[\s/>])/g, "<$1x-1.y:");

// biome-ignore format: one cell per line
test.each([
  ["an error", '<c r="C2" t="e"><v>#N/A</v></c>', ["2 2 #N/A"]],
  ["an error in single quotes", "<c r='XFD1048576' t='e'><v>#REF!</v></c>", ["1048576 16383 #REF!"]],
  ["an error in a cell with a prefix", '<x:c x:r="C2" t="e"><x:v>#N/A</x:v></x:c>', ["2 2 #N/A"]],
  ["an error with attributes", '<c r="C2" t="e"><v xml:space="preserve"> #N/A </v></c>', ["2 2 #N/A"]],
  ["an error without a text", '<c r="C2" t="e"><v></v></c>', ["2 2"]],
  ["an error of a formula", '<c r="C2" t="e"><f>1/0</f><v>#DIV/0!</v></c>', ["2 2 #DIV/0!"]],
  ["an error after good cells", '<c r="A2"><v>1</v></c><c r="B2" t="e"><v>#N/A</v></c>', ["2 1 #N/A"]],
  ["two errors", '<c r="A2" t="e"><v>#A!</v></c><c r="B2" t="e"><v>#B!</v></c>', ["2 0 #A!", "2 1 #B!"]],
  ["a formula without a value", '<c r="C2"><f>A1</f></c>', ["2 2"]],
  ["a formula with attributes", '<c r="C2"><f t="shared" si="0">A1</f></c>', ["2 2"]],
  ["a formula that refers to a shared one", '<c r="C2"><f/></c>', ["2 2"]],
  ["a formula with a prefix", '<x:c r="C2"><x:f>A1</x:f></x:c>', ["2 2"]],
  ["a formula with an empty value", '<c r="C2"><f>A1</f><v></v></c>', ["2 2"]],
  ["a formula whose value follows in the next cell", '<c r="C2"><f>A1</f></c><c r="D2"><v>1</v></c>', ["2 2"]],
  ["a formula at the end of a row", '<c r="C2"><f>A1</f></row><row r="3"><c r="A3"><v>1</v></c>', ["2 2"]],
  ["a formula whose end is missing", '<c r="C2"><f>A1', ["2 2"]],
])("treats %s as a lost value, whatever the prefix of its tags", (_, cells, lost) => {
  expect(lostIn(cells)).toEqual(lost);
  expect(lostIn(prefixed(cells))).toEqual(lost);
});

test.each([
  ["values", '<c r="C2"><v>1</v></c>'],
  ["a formula with a number", '<c r="C2"><f>A1</f><v>1</v></c>'],
  [
    "a formula with a value that has attributes",
    '<c r="C2"><f>A1</f><v xml:space="preserve"> 1</v></c>',
  ],
  ["a formula with a value with a prefix", '<x:c r="C2"><x:f>A1</x:f><x:v>1</x:v></x:c>'],
  ["a formula with a text in the cell", '<c r="C2" t="inlineStr"><f>A1</f><is><t>x</t></is></c>'],
  ["a formula with an empty text as its value", '<c r="C2" t="str"><f>""</f><v></v></c>'],
  ["the same in single quotes", "<c r='C2' t='str'><f>\"\"</f><v></v></c>"],
  [
    "an error in an empty cell, between a formula and others",
    '<c r="B2"><f>A1</f><v>1</v></c><c r="C2" t="e"/>',
  ],
  ["an error that is the text of a cell", '<c r="C2" t="inlineStr"><is><t>#N/A</t></is></c>'],
])("finds no lost value in %s", (_, cells) => {
  expect([...lostIn(cells), ...lostIn(prefixed(cells))]).toEqual([]);
});

test("refuses a cell without an address", () => {
  expect(() => lostIn('<c t="e"><v>#N/A</v></c>')).toThrow("no address");
  expect(() => lostIn("<c><f>A1</f></c>")).toThrow("no address");
  expect(() => lostValues("<c><f>A1</f>")).toThrow("no address");
});
