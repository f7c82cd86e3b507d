/**
 * Inputs made to keep the file reader busy: its time grows linearly with the length, not
 * quadratically.
 */
import { expect, test } from "vitest";
import { areasShownByCondition, conditionalSigns } from "#intake/workbook/conditional-formats.ts";
import { lostValues } from "#intake/workbook/lost-values.ts";
import { formatOf, mayLookDifferent } from "#intake/workbook/number-formats.ts";
import { strikethroughIn } from "#intake/workbook/strikethrough.ts";
import { contentOf } from "#intake/workbook/xml-tags.ts";
import { inChunks, readFile } from "../support/samples.ts";
import { csv, HEADER, ROW } from "./csv-file.ts";

const digits = (code: string) => mayLookDifferent(formatOf(code), "12");

test.each<[string, () => unknown]>([
  [
    "a row of Ctrl-Z that is not padding",
    () => readFile(inChunks(Buffer.from(`${csv([HEADER, ROW])}${"\x1a".repeat(64_000)}x`))),
  ],
  ["a code of a format with many commas", () => digits(`${"0,".repeat(20_000)}0`)],
  ["a code of a format that ends in commas", () => digits(`0${",".repeat(40_000)}`)],
  ["a format code with unterminated signs", () => digits("[$".repeat(1_000))],
  [
    "unterminated cell styles",
    () =>
      areasShownByCondition("<conditionalFormatting>", `<dxfs>${"<dxf>".repeat(60_000)}</dxfs>`),
  ],
  ["unterminated rules", () => areasShownByCondition("<conditionalFormatting>".repeat(25_000), "")],
  [
    "unterminated fonts",
    () =>
      strikethroughIn({
        sheet: "",
        styles: `<fonts>${"<font>".repeat(60_000)}</fonts>`,
        strings: "",
      }),
  ],
  [
    "unterminated struck-out texts and cells",
    () => {
      const strings = "<si><strike/>".repeat(60_000);
      return strikethroughIn({ sheet: "<c ><strike/>".repeat(60_000), styles: "", strings });
    },
  ],
  [
    "areas of conditional formats without end",
    () => {
      const area = '<conditionalFormatting sqref="C2"><cfRule dxfId="0"/>'.repeat(5_000);
      const styles = '<dxfs><dxf><numFmt formatCode="[$€-407]0"/></dxf></dxfs>';
      const signsAt = conditionalSigns(area, styles);
      for (let line = 1; line <= 100_000; line++) signsAt(line, 3);
    },
  ],
  ["a tag that opens again and again", () => contentOf("<a >".repeat(250_000), "a")],
  ["cells without a value", () => lostValues('<c r="A2"><f/></c>'.repeat(50_000))],
  ["unterminated cells", () => lostValues(`<sheetData><f/>${"<c ".repeat(250_000)}</sheetData>`)],
])("%s", async (_what, read) => {
  const startedMs = performance.now();
  await read();
  expect(performance.now() - startedMs).toBeLessThan(5_000);
});
