import { describe, expect, test } from "vitest";
import { formatOf, isRounded, mayLookDifferent } from "#intake/workbook/number-formats.ts";

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
  ])("%s is not a date", (code) => {
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
  ['[$0-409]#',          0,  true],
  ['[$kr.-406]0',        1,  false],
  ['[$-409]0',           1,  false],
  ["0000;\"1\"0",        4,  false],
])("%s shows at least %d digits, and others of its own: %s", (code, digitsMin, hasOwnDigits) => {
  expect(formatOf(code)).toMatchObject({ digitsMin, hasOwnDigits });
});

describe("amounts as a sheet shows them", () => {
  const shownOf = (code: string) => {
    const { isScaled, hasOwnDigits, hasOwnPoint, decimalsMax, digitsMax } = formatOf(code);
    const other = [isScaled && "scaled", hasOwnDigits && "digits", hasOwnPoint && "point"];
    return [other.filter(Boolean).join(" "), decimalsMax, digitsMax];
  };

  test.each([
    "#,##0.00",
    "0.00",
    '"₹"#,##0.00',
    '"₹"\\ #,##0.00',
    "[$₹-4009]#,##0.00",
    "[$₹-4009]\\ #,##0.00",
    "[$Rs.-809] #,##0.00",
    "#,##0.00\\ [$€-407]",
    '#,##0.00" USD"',
    '"Rs."#,##0.00',
    "#,##,##0.00",
    "[>=10000000]##\\,##\\,##\\,##0.00;[>=100000]##\\,##\\,##0.00;##,##0.00",
    '[>=10000000]##","##","##","##0.00;[>=100000]##","##","##0.00;##,##0.00',
    "#,##0.00;[Red]-#,##0.00",
    "#,##0.00_);(#,##0.00)",
    "#,##0.00_);[Red]\\(#,##0.00\\)",
    '#,##0.00;-#,##0.00;"-"',
    '#,##0.00;-#,##0.00;"0"',
    '_-* #,##0.00_-;-* #,##0.00_-;_-* "-"??_-;_-@_-',
    '_ [$₹-4009]* #,##0.00_ ;_ [$₹-4009]* -#,##0.00_ ;_ [$₹-4009]* "-"??_ ;_ @_ ',
    '[=0]"-";[<0]-0%;#,##0.00',
    '[<=0.0]"0";#,##0.00',
    "[Blue]#,##0.00",
    "#\\,##0.00",
    "0.0#",
    "0.00!%",
  ])("reads the amount in %s to its minor units", (code) => {
    expect(shownOf(code)).toEqual(["", 2, 99]);
  });

  // biome-ignore format: the columns are the point
  test.each([
    ["General",          "",       99, 99],
    ["",                 "",       99, 99],
    ["@",                "",       99, 99],
    ["[DBNum1][$-804]General", "", 99, 99],
    ["0",                "",       0,  99],
    ["#,##0",            "",       0,  99],
    ["#,##0.000",        "",       3,  99],
    ["#.??",             "",       2,  99],
    ["#,##0.-",          "",       0,  99],
    ["0E+00",            "",       99, 1],
    ["##0.0E+0",         "",       99, 2],
    ["# ?/?",            "",       0,  99],
    ["# ??/16",          "",       0,  99],
    ["0%",               "scaled", 0,  99],
    ["0.00\\ %",         "scaled", 2,  99],
    ["#,##0,",           "scaled", 0,  99],
    ["#,##0,,",          "scaled", 0,  99],
    ["0,.00",            "scaled", 2,  99],
    ['0.0,,"M"',         "scaled", 1,  99],
    ['#,##0, "K"',       "scaled", 0,  99],
    ["0,E+00",           "scaled", 99, 1],
    ["[>=1000]0.0,;0.00", "scaled", 1, 99],
    [";;;",              "scaled", 99, 99],
    [";-0",              "scaled", 99, 99],
    ['"paid"',           "scaled", 99, 99],
    ['"1"000',           "digits", 0,  99],
    ['0.00"5"',          "digits", 2,  99],
    ["[$1-409]0",        "digits", 0,  99],
    ["0\\.00",           "point",  0,  99],
    ['0"."00',           "point",  0,  99],
    ["0!.00",            "point",  0,  99],
    ["#\\.##0\\,00",     "point",  0,  99],
    ["0\\,0000",         "point",  0,  99],
    ["[>9]0;0\\.00",     "point",  0,  99],
  ])("reads the amount in %j with the text %j next to it, at most %d decimals and %d digits", (code, ...shown) => {
    expect(shownOf(code)).toEqual(shown);
  });

  // biome-ignore format: one kind per line
  test.each<[boolean, string[]]>([
    [true,  ["(#,##0.00)", "-0", "0-", '"-"0', "\\-0", "0.00\\)", '"("0", net)"', "[$€-409](0)", "€ -0"]],
    [false, ["0.00_);(0.00)", "_(* 0_);_(* (0)", "000-0000", '0" (net)"', '"non-taxable "0', "0.00E-00", "General", "yyyy-mm-dd", "[<0]-0;0", "@"]],
  ])("looks negative, %s: %j", (is, codes) => {
    for (const code of codes) expect([code, formatOf(code).looksNegative]).toEqual([code, is]);
  });

  test.each([
    ["99.6", "0", true],
    ["99.6", "0.0", false],
    ["99.65", "0.0", true],
    ["100", "0", false],
    ["1234567", "0.00E+00", true],
    ["1230000", "0.00E+00", false],
    ["0.00123", "0.00E+00", false],
    ["0.001234", "0.00E+00", true],
    ["0.000001", "General", false],
    ["12345678.25", "General", false],
    ["123456789.25", "General", true],
    ["12345678901", "General", false],
    ["12345678901.25", "General", true],
    ["123456789012", "@", true],
    ["123456000000", "General", false],
    ["123456700000", "General", true],
    ["0.000123456789", "General", true],
    ["0.00000000125", "General", false],
    ["12345678901.25", "0.00", false],
  ])("reports digits that %s in %s does not show: %s", (exact, code, is) => {
    expect(isRounded(exact, formatOf(code))).toBe(is);
  });

  test.each([
    ["12.50", "0.00", false],
    ["12.505", "0.00", true],
    ["5E-3", "0.00", true],
    ["5E-3", "General", false],
    ["1.5E+9", "General", false],
    ["1.234567E+12", "General", true],
    ["12345678.25", "General", false],
    ["123456789.25", "@", true],
    ["123456789.25", "0.00", false],
    ["12", "0", false],
    ["12", "00", true],
    ["12", "0%", true],
    ["12", '0"0"', true],
    ["12", "0\\.0", true],
    ["12", "0E+0", true],
    ["12", "yyyy", true],
  ])("reports that %s in %s may differ from the shown value: %s", (written, code, is) => {
    expect(mayLookDifferent(formatOf(code), written)).toBe(is);
  });
});
