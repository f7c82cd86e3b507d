import { expect, test } from "vitest";
import { areasShownByCondition } from "#batch/conditional.ts";

const styles = (...codes: readonly string[]) =>
  `<styleSheet><dxfs count="9"><dxf><font><b/></font></dxf><dxf/>${codes.map((code) => `<dxf><numFmt numFmtId="200" formatCode="${code}"/></dxf>`).join("")}</dxfs></styleSheet>`;
const rules = (area: string, inside: string) =>
  `<conditionalFormatting sqref="${area}">${inside}</conditionalFormatting>`;
const rule = (look: number) =>
  `<cfRule type="cellIs" dxfId="${look}"><formula>1</formula></cfRule>`;
const areas = (sheet: string, ...codes: readonly string[]) =>
  areasShownByCondition(`<worksheet>${sheet}</worksheet>`, styles(...codes));

test.each(["#,##0,", ";;;", "yyyy", "0&quot;00&quot;", "0\\.00", "(0)"])(
  "a rule that shows a number in %s is told with its area",
  (code) => {
    expect(areas(rules("C2:C9 E2", rule(2)), code)).toEqual(["C2:C9 E2"]);
  },
);

test("every area has its own rules", () => {
  const sheet = rules("A1", rule(3)) + rules("B1", rule(0) + rule(3)) + rules("C1", rule(2));
  expect(areas(sheet, "0.00", "0%")).toEqual(["A1", "B1"]);
});

test.each([
  ["without a rule", ""],
  ["in colours alone", rules("A1", rule(0) + rule(1))],
  ["in a format that shows the number", rules("A1", rule(2))],
  ["of looks that are not there", rules("A1", rule(9))],
  ["with a bar beside the number", rules("A1", "<cfRule><dataBar/></cfRule>")],
])("nothing is told of a sheet %s", (_, sheet) => {
  expect(areas(sheet, "0.00")).toEqual([]);
});

test("a bar or a sign in the place of the number is told", () => {
  const bar = rules("C2", '<cfRule type="dataBar"><dataBar showValue="0"/></cfRule>');
  expect(areas(bar)).toEqual(["C2"]);
});
