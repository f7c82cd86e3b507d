import { describe, expect, test } from "vitest";
import { formatsOf } from "#intake/workbook/number-formats.ts";

const styles = (cells: string, rest = "") =>
  `<styleSheet>${rest}<cellXfs count="9">${cells}</cellXfs><dxfs><dxf><numFmt numFmtId="200" formatCode="0"/></dxf></dxfs></styleSheet>`;
const datesOf = (part: string) => formatsOf(part).map(({ isDate }) => isDate);
const CODES =
  '<numFmts count="2"><numFmt numFmtId="200" formatCode="&quot;on &quot;yyyymmdd"/><numFmt formatCode="00000" numFmtId="30"/></numFmts>';

describe("formats of a workbook", () => {
  test("lists the formats of its cells in order, without others", () => {
    const part = styles(
      '<xf numFmtId="0"/><xf numFmtId="200" xfId="0"/><xf numFmtId="14"><alignment/></xf><xf numFmtId="199"/>',
      CODES,
    );
    expect(datesOf(part)).toEqual([false, true, true, false]);
  });

  test.each([
    [[0, 1, 4, 11, 13, 23, 26, 37, 44, 48, 49, 59, 70, 82], false],
    [[14, 17, 22, 27, 36, 45, 46, 47, 50, 58, 71, 81], true],
  ])("recognises built-in formats: %j", (ids, isDate) => {
    const part = styles(ids.map((id) => `<xf numFmtId="${id}"/>`).join(""));
    expect(datesOf(part)).toEqual(ids.map(() => isDate));
  });

  test("knows the digits of built-in number formats from the standard", () => {
    const ids = [0, 1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 37, 40, 44, 48, 49, 62, 68, 70];
    const part = styles(ids.map((id) => `<xf numFmtId="${id}"/>`).join(""));
    const shown = formatsOf(part).map(({ isScaled, decimalsMax, digitsMax }) =>
      [decimalsMax, digitsMax, isScaled ? "scaled" : ""].join(" ").trim(),
    );
    expect(Object.fromEntries(ids.map((id, at) => [id, shown[at]]))).toEqual({
      0: "99 99",
      1: "0 99",
      2: "2 99",
      3: "0 99",
      4: "2 99",
      5: "0 99",
      8: "2 99",
      9: "0 99 scaled",
      10: "2 99 scaled",
      11: "99 3",
      12: "0 99",
      37: "0 99",
      40: "2 99",
      44: "2 99",
      48: "99 2",
      49: "99 99",
      62: "2 99",
      68: "2 99 scaled",
      70: "0 99",
    });
  });

  test("treats a built-in date format with an unusable code as a date and keeps its digits", () => {
    expect(formatsOf(styles('<xf numFmtId="30"/>', CODES))).toMatchObject([
      { isDate: true, digitsMin: 5, hasOwnDigits: false },
    ]);
  });

  test("inherits the format of the base style", () => {
    const bases = '<cellStyleXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellStyleXfs>';
    const part = styles('<xf/><xf xfId="1"/><xf xfId="1" numFmtId="0"/>', bases);
    expect(datesOf(part)).toEqual([false, true, false]);
  });

  test("rejects a code longer than any spreadsheet writes", () => {
    const coded = (code: string) =>
      formatsOf(
        styles(
          "<xf numFmtId='1'/>",
          `<numFmts><numFmt numFmtId='200' formatCode='${code}'/></numFmts>`,
        ),
      );
    expect(coded("0".repeat(1_000))).toHaveLength(1);
    expect(() => coded("0".repeat(1_001))).toThrow("too long");
  });

  test("returns no formats without styles", () => {
    expect(formatsOf("")).toEqual([]);
  });
});
