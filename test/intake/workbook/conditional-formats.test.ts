import { describe, expect, test } from "vitest";
import { areasShownByCondition, conditionalSigns } from "#intake/workbook/conditional-formats.ts";

const styles = (...codes: readonly string[]) =>
  `<styleSheet><dxfs count="9"><dxf><font><b/></font></dxf><dxf/>${codes.map((code) => `<dxf><numFmt numFmtId="200" formatCode="${code}"/></dxf>`).join("")}</dxfs></styleSheet>`;
const rules = (area: string, inside: string) =>
  `<conditionalFormatting sqref="${area}">${inside}</conditionalFormatting>`;
const rule = (look: number) =>
  `<cfRule type="cellIs" dxfId="${look}"><formula>1</formula></cfRule>`;
const areas = (sheet: string, ...codes: readonly string[]) =>
  areasShownByCondition(`<worksheet>${sheet}</worksheet>`, styles(...codes));

test.each(["#,##0,", ";;;", "yyyy", "0&quot;00&quot;", "0\\.00", "(0)"])(
  "reports a rule that shows a number in %s with its area",
  (code) => {
    expect(areas(rules("C2:C9 E2", rule(2)), code)).toEqual(["C2:C9 E2"]);
  },
);

test("applies separate rules to each area", () => {
  const sheet = rules("A1", rule(3)) + rules("B1", rule(0) + rule(3)) + rules("C1", rule(2));
  expect(areas(sheet, "0.00", "0%")).toEqual(["A1", "B1"]);
});

test.each([
  ["without a rule", ""],
  ["in colours alone", rules("A1", rule(0) + rule(1))],
  ["in a format that shows the number", rules("A1", rule(2))],
  ["of styles that do not exist", rules("A1", rule(9))],
  ["with a data bar next to the number", rules("A1", "<cfRule><dataBar/></cfRule>")],
])("reports nothing for a sheet %s", (_, sheet) => {
  expect(areas(sheet, "0.00")).toEqual([]);
});

test("reports a data bar or an icon that replaces the number", () => {
  const bar = rules("C2", '<cfRule type="dataBar"><dataBar showValue="0"/></cfRule>');
  expect(areas(bar)).toEqual(["C2"]);
  expect(areas(bar.replace('="0"', " = 'false'"))).toEqual(["C2"]);
});

describe("currency signs that a conditional format may show", () => {
  const EURO = "[$€-407] 0";
  const signsAt = (sheet: string, ...codes: readonly string[]) =>
    conditionalSigns(`<worksheet>${sheet}</worksheet>`, styles(...codes));
  const at = (
    signs: ReturnType<typeof signsAt>,
    ...cells: readonly (readonly [number, number])[]
  ) => cells.map(([line, place]) => signs(line, place).join());

  test("come from the rules of the areas that contain the cell", () => {
    const sheet = rules("C2:D9 H3", rule(2)) + rules("C2:C3", rule(3)) + rules("A1:Z99", rule(0));
    const signs = signsAt(sheet, EURO, "&quot;USD&quot; 0");
    expect(at(signs, [2, 2], [3, 2], [9, 3], [3, 7])).toEqual(["€,USD", "€,USD", "€", "€"]);
    expect(at(signs, [1, 2], [10, 2], [2, 1], [2, 4], [4, 5], [3, 4])).toEqual(Array(6).fill(""));
  });

  test.each([
    ["without a rule", ""],
    ["in colours alone", rules("C2", rule(0))],
    ["in a format without one", rules("C2", rule(2))],
    ["of styles that do not exist", rules("C2", rule(9))],
    ["without an area", rules("", rule(3))],
  ])("reports none on a sheet %s", (_, sheet) => {
    expect(at(signsAt(sheet, "0.00", EURO), [2, 2])).toEqual([""]);
  });

  test("are found in wide and long areas, but not in a malformed area", () => {
    const signs = signsAt(rules("AB1048570:XFD1048576  C2", rule(2)), EURO);
    expect(at(signs, [1_048_570, 27], [1_048_576, 16_383], [2, 2])).toEqual(["€", "€", "€"]);
    expect(at(signs, [1_048_569, 27], [1_048_570, 26])).toEqual(["", ""]);
    for (const none of ["x C 2", "C:D", "$C$2", "SheetC2", "C2x", "C2:", "C2:D"]) {
      expect(at(signsAt(rules(none, rule(2)), EURO), [2, 2], [0, -1])).toEqual(["", ""]);
    }
  });

  test("come from all rules when there are too many to check", () => {
    const many = (count: number) =>
      Array.from({ length: count }, (_, i) => rules(`C${i + 2}`, rule(2))).join("");
    expect(at(signsAt(many(100), EURO), [9_000, 9])).toEqual([""]);
    expect(at(signsAt(many(101), EURO), [9_000, 9])).toEqual(["€"]);
    const coloured = many(101).replaceAll('dxfId="2"', 'dxfId="0"');
    expect(at(signsAt(coloured + many(1), EURO), [2, 2], [9_000, 9])).toEqual(["€", ""]);
  });
});
