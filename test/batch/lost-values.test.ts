import { expect, test } from "vitest";
import { lostValue } from "#batch/lost-values.ts";

const sheet = (cells: string) => Buffer.from(`<sheetData><row r="2">${cells}</row></sheetData>`);

test.each([
  ["an error", '<c r="C2" t="e"><v>#N/A</v></c>', "C2"],
  ["an error in single quotes", "<c r='XFD1048576' t='e'><v>#REF!</v></c>", "XFD1048576"],
  ["an error in a cell with a prefix", '<x:c r="C2" t="e"><x:v>#N/A</x:v></x:c>', "C2"],
  ["an error without an address", '<c t="e"><v>#N/A</v></c>', "without an address"],
  ["an error behind good cells", '<c r="A2"><v>1</v></c><c r="B2" t="e"><v>#N/A</v></c>', "B2"],
  ["the first of two errors", '<c r="A2" t="e"><v>1</v></c><c r="B2" t="e"><v>1</v></c>', "A2"],
  ["a formula without a value", '<c r="C2"><f>A1</f></c>', "C2"],
  ["a formula with attributes", '<c r="C2"><f t="shared" si="0">A1</f></c>', "C2"],
  ["a formula that refers to a shared one", '<c r="C2"><f/></c>', "C2"],
  ["a formula with a prefix", '<x:c r="C2"><x:f>A1</x:f></x:c>', "C2"],
  ["a formula with an empty value", '<c r="C2"><f>A1</f><v></v></c>', "C2"],
  [
    "a formula whose value follows in the next cell",
    '<c r="C2"><f>A1</f></c><c r="D2"><v>1</v></c>',
    "C2",
  ],
  [
    "a formula at the end of a row",
    '<c r="C2"><f>A1</f></row><row r="3"><c r="A3"><v>1</v></c>',
    "C2",
  ],
  ["a formula whose end is missing", '<c r="C2"><f>A1', "C2"],
])("%s is a value that is lost", (_, cells, address) => {
  expect(lostValue(sheet(cells))).toBe(address);
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
  ["a formula that came to an empty text", '<c r="C2" t="str"><f>""</f><v></v></c>'],
  ["the same in single quotes", "<c r='C2' t='str'><f>\"\"</f><v></v></c>"],
  [
    "an error in an empty cell, between a formula and others",
    '<c r="B2"><f>A1</f><v>1</v></c><c r="C2" t="e"/>',
  ],
  ["an error that is the text of a cell", '<c r="C2" t="inlineStr"><is><t>#N/A</t></is></c>'],
])("%s: nothing is lost", (_, cells) => {
  expect(lostValue(sheet(cells))).toBeNull();
});

test("a part that is no sheet has no cells", () => {
  expect(lostValue(Buffer.from('<c r="C2" t="e"><v>#N/A</v></c>'))).toBeNull();
});
