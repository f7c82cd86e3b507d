import { describe, expect, test } from "vitest";
import { formatOf, formatsOf } from "#batch/number-formats.ts";

describe("dates and times", () => {
  test.each([
    "yyyy-mm-dd",
    "yyyymmdd",
    "ddmmyyyy",
    "mmmyy",
    "yyy",
    "YYYY",
    "yyyy-mm-ddThh:mm",
    "d/m/bbbb",
    "[$-411]ge.m.d;@",
    '[$-411]ggge"年"m"月"d"日";@',
    "[$-f800]dddd\\,\\ mmmm\\ dd\\,\\ yyyy",
    "[Red]d.m.",
    "[h]:mm",
    "[hh]",
    "[mm]",
    "[S]",
    "mm:ss.0",
    "[s].000",
    "h:mm:ss,00",
    "h AM/PM",
    "TT.MM.JJJJ",
    "ДД.ММ.ГГ",
    "[>9]0;d.m.yy",
  ])("%s", (code) => {
    expect(formatOf(code).isDate).toBe(true);
  });

  test.each([
    "General",
    "general",
    "@",
    "0",
    "#,##0.00",
    "0.00E+00",
    "##0.0E+0",
    "# ?/?",
    "0%",
    "[Red]0",
    "[DBNum1][$-804]General",
    "[$₹-4009] #,##0.00",
    "[$kr.-406] #,##0",
    '0"d"',
    "0\\d",
    '"day"',
    "\\d\\a\\y",
    "0 USD",
    "_d0_y",
    "*d0",
    '_-* #,##0.00_-;-* #,##0.00_-;_-* "-"??_-;_-@_-',
    '"TRUE";"TRUE";"FALSE"',
    "0;-0;;@",
    ";;;",
    "",
  ])("%s is none", (code) => {
    expect(formatOf(code).isDate).toBe(false);
  });
});

// biome-ignore format: the columns are the point
test.each([
  ["General",            0,  false],
  ["0",                  1,  false],
  ["0.00",               1,  false],
  ["#,##0.00",           1,  false],
  ["0000000000",         10, false],
  ["00000\\-0000",       9,  false],
  ["000\\-00\\-0000",    9,  false],
  ["#0##",               3,  false],
  ["0??",                3,  false],
  ["[Blue]0000;00000",   4,  false],
  ["0.0000",             1,  false],
  ["0000%",              0,  false],
  ["000E+00",            0,  false],
  ["00/00",              0,  false],
  ['"0"#',               0,  true],
  ["\\0##########",      0,  true],
  ['"+62 "0',            1,  true],
  ["+62 0",              1,  true],
  ['0" of 9"',           1,  true],
  ['00000000"-01"',      8,  true],
  ['0"00"',              1,  true],
  ["0\\0",               1,  true],
  ['0.00"5"',            1,  true],
  ['General"00"',        0,  true],
  ['@"00"',              0,  true],
  ["# ?/8",              0,  false],
  ["# ??/ 100",          0,  false],
  ['# ?/?"1"',           0,  true],
  ["[<=99999]00000;00000-0000", 9, false],
  ["[=1]000;[>9]0;00",   3,  false],
  ['[>9]0;"1"0',         1,  true],
  ['0;-0;"1"',           1,  false],
  ['"No. "0',            1,  false],
  ['"0"',                0,  false],
  ['[$0-409]#',          0,  false],
  ["0000;\"1\"0",        4,  false],
])("%s shows at least %d digits, and others of its own: %s", (code, digitsMin, hasOwnDigits) => {
  expect(formatOf(code)).toMatchObject({ digitsMin, hasOwnDigits });
});

const styles = (cells: string, rest = "") =>
  `<styleSheet>${rest}<cellXfs count="9">${cells}</cellXfs><dxfs><dxf><numFmt numFmtId="200" formatCode="0"/></dxf></dxfs></styleSheet>`;
const datesOf = (part: string) => formatsOf(part).map(({ isDate }) => isDate);
const CODES =
  '<numFmts count="2"><numFmt numFmtId="200" formatCode="&quot;on &quot;yyyymmdd"/><numFmt formatCode="00000" numFmtId="30"/></numFmts>';

describe("the formats of a workbook", () => {
  test("are those of its cells, in their order, and no others", () => {
    const part = styles(
      '<xf numFmtId="0"/><xf numFmtId="200" xfId="0"/><xf numFmtId="14"><alignment/></xf><xf numFmtId="199"/>',
      CODES,
    );
    expect(datesOf(part)).toEqual([false, true, true, false]);
  });

  test.each([
    [[0, 1, 4, 11, 13, 23, 26, 37, 44, 48, 49, 59, 70, 82], false],
    [[14, 17, 22, 27, 36, 45, 46, 47, 50, 58, 71, 81], true],
  ])("that have a number only: %j", (ids, isDate) => {
    const part = styles(ids.map((id) => `<xf numFmtId="${id}"/>`).join(""));
    expect(datesOf(part)).toEqual(ids.map(() => isDate));
  });

  test("that have a number of dates and a code that is none are dates, and keep their digits", () => {
    expect(formatsOf(styles('<xf numFmtId="30"/>', CODES))).toEqual([
      { isDate: true, digitsMin: 5, hasOwnDigits: false },
    ]);
  });

  test("are those of their base where they say none", () => {
    const bases = '<cellStyleXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellStyleXfs>';
    const part = styles('<xf/><xf xfId="1"/><xf xfId="1" numFmtId="0"/>', bases);
    expect(datesOf(part)).toEqual([false, true, false]);
  });

  test("are none where it has no styles", () => {
    expect(formatsOf("")).toEqual([]);
  });
});
