import { describe, expect, test } from "vitest";
import { strikethroughIn } from "#intake/workbook/strikethrough.ts";

const styles = (fonts: string, looks: string, bases = "") =>
  `<styleSheet><fonts count="9">${fonts}</fonts><cellStyleXfs>${bases}</cellStyleXfs><cellXfs>${looks}</cellXfs></styleSheet>`;
const STRUCK = "<font><sz/></font><font/><font><strike/></font>";
const sheetOf = (cells: string) => `<worksheet><sheetData>${cells}</sheetData></worksheet>`;
const cells = '<c r="A2"/><c r="B2" s="1"><v>1</v></c><c r="AA3" s="1"/>';
const struckIn = (looks: string) => {
  const isStruckOut = strikethroughIn({ sheet: sheetOf(cells), styles: looks, strings: "" });
  return [
    [2, 0],
    [2, 1],
    [2, 26],
    [3, 26],
  ].map(([line = 0, place = 0]) => isStruckOut(line, place));
};

test.each([
  [styles(STRUCK, '<xf/><xf fontId="2"/>')],
  [styles(STRUCK.replace("<strike/>", '<x:strike val="1"/>'), '<xf/><xf fontId="2"/>')],
  [styles(STRUCK, '<xf/><xf xfId="1"/>', '<xf/><xf fontId="2"/>')],
])("finds cells that are struck out: %s", (looks) => {
  expect(struckIn(looks)).toEqual([false, true, false, true]);
});

test.each([
  [""],
  [styles(STRUCK, '<xf/><xf fontId="1"/>')],
  [styles(STRUCK.replace("<strike/>", '<strike val="0"/>'), '<xf/><xf fontId="2"/>')],
  [styles(STRUCK, '<xf/><xf fontId="1" xfId="1"/>', '<xf/><xf fontId="2"/>')],
])("finds no struck-out cell in %s", (looks) => {
  expect(struckIn(looks)).toEqual([false, false, false, false]);
});

test.each([["false"], ["0"]])("treats val=%j as not struck out", (val) => {
  const fonts = STRUCK.replace("<strike/>", `<strike val="${val}"/>`);
  expect(struckIn(styles(fonts, '<xf/><xf fontId="2"/>'))).toEqual([false, false, false, false]);
});

test("ignores a cell with a missing or invalid address; line numbers may have many digits", () => {
  const others = { styles: styles(STRUCK, '<xf/><xf fontId="2"/>'), strings: "" };
  for (const place of ["", ' r="1A2"', ' r="$A$2"']) {
    expect(strikethroughIn({ sheet: sheetOf(`<c${place} s="1"/>`), ...others })(2, 0)).toBe(false);
  }
  expect(
    strikethroughIn({ sheet: sheetOf('<c r="A1048576" s="1"/>'), ...others })(1_048_576, 0),
  ).toBe(true);
});

test("gives a cell without a style the first one", () => {
  expect(struckIn(styles("<font><strike/></font><font/>", '<xf/><xf fontId="1"/>'))).toEqual([
    true,
    false,
    false,
    false,
  ]);
});

describe("a partly struck-out text", () => {
  const RICH = "<r><rPr><b/><strike/></rPr><t>Asha</t></r><r><t> Rao</t></r>";
  const struck = (sheet: string, strings: string) => {
    const isStruckOut = strikethroughIn({ sheet: sheetOf(sheet), styles: "", strings });
    return [2, 3, 4].filter((line) => isStruckOut(line, 3));
  };
  const shared = (line: number, number: number) => `<c r="D${line}" t="s"><v>${number}</v></c>`;

  test("is found in every cell that shares it, and in no other", () => {
    const strings = `<sst><si><t>Asha</t></si><si>${RICH}</si><si>${RICH.replace("<strike/>", '<strike val="0"/>')}</si></sst>`;
    const three = shared(2, 0) + shared(3, 1) + shared(4, 2);
    expect(struck(three, strings)).toEqual([3]);
    expect(struck(three.replaceAll(/<(\/?)(?=\w)/g, "<$1x-1.y:"), strings)).toEqual([3]);
    expect(struck('<c r="D2"><v>1</v></c><c r="D3" t="s"/>', strings)).toEqual([]);
  });

  test("is found in the only cell that holds it", () => {
    const own = `<c r="D2" t="inlineStr"><is>${RICH}</is></c><c r="D3" t="inlineStr"><is><t>B</t></is></c>`;
    expect(
      struck(`${own}<c r="D4"/></row></sheetData><legacy><strike/></legacy><sheetData>`, ""),
    ).toEqual([2]);
    expect(struck(own.replaceAll(/<(\/?)(?=\w)/g, "<$1x-1:"), "")).toEqual([2]);
  });

  test("is found whatever the spacing of the XML, and by indexes of any length", () => {
    const plain = "<si><t>A</t></si>";
    const strings = `<sst>${plain.repeat(10)}<si  ><r><rPr><strike  val = 'true' /></rPr></r></si>${RICH}</sst>`;
    const cell = (at: string, number: number) =>
      `<c\n r = '${at}' s = '0' t = 's' ><v xml:space = "preserve" >${number}</v ></c >`;
    expect(struck(cell("D3", 10) + cell("D4", 1), strings)).toEqual([3]);
    const off = `<sst><si><r><rPr><strike  val  =  'false'/></rPr></r></si></sst>`;
    expect(struck(cell("D3", 0), off)).toEqual([]);
    const looks = styles(STRUCK, `${'<xf fontId="0"/>'.repeat(12)}<xf fontId="2"/>`);
    const sheet = sheetOf("<c r='D3' s = '12'/><c r='D4' s = '1'/>");
    const isStruckOut = strikethroughIn({ sheet, styles: looks, strings: "" });
    expect([3, 4].map((line) => isStruckOut(line, 3))).toEqual([true, false]);
  });
});
