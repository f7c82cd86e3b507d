import { describe, expect, test } from "vitest";
import {
  formulaMarked,
  formulaSafe,
  startsFormula,
  withoutFormulaMark,
} from "#intake/text/formula.ts";
import { printable, canForgeLines, visible } from "#base/invisible-characters.ts";

describe("a cell that a spreadsheet would run as a formula", () => {
  test.each(["=1+1", "+1", "-1", "@x", "\tx", "\rx", "\nx", "\0x", "＝1", "＋1", "－1", "＠x"])(
    "marks %j as text",
    (cell) => {
      expect([startsFormula(cell), formulaSafe(cell)]).toEqual([true, `'${cell}`]);
    },
  );

  test.each(["", "1=1", " =1", "a@b", "'=1", "x\n=1"])("leaves %j unchanged", (cell) => {
    expect([startsFormula(cell), formulaSafe(cell)]).toEqual([false, cell]);
  });
});

describe("a cell that is exported and imported again", () => {
  test.each([
    "=1",
    "x",
    "",
    "'",
    "'x",
    "@x",
    "'@x",
    "'-Asha",
    "''=1",
    "＝1",
    "'＝1",
    "''x",
    "x'=1",
  ])("exports %j without a formula and restores it unchanged", (cell) => {
    expect(withoutFormulaMark(formulaMarked(cell))).toBe(cell);
    expect(startsFormula(formulaMarked(cell))).toBe(false);
  });

  test("adds a second mark to a cell that starts with one", () => {
    expect(["=1", "'@x", "'x"].map(formulaMarked)).toEqual(["'=1", "''@x", "'x"]);
  });
});

describe("visible form of a text", () => {
  test.each([
    ["plain text of any script, 山田", "plain text of any script, 山田"],
    ["a\tb", "a\\u{9}b"],
    ["a\u00a0b\u3000c d", "a\\u{a0}b\\u{3000}c d"],
    [
      "\u202e\u2028\u2029\ue000\udc00\u{10ffff}",
      "\\u{202e}\\u{2028}\\u{2029}\\u{e000}\\u{dc00}\\u{10ffff}",
    ],
    ["\u3164\u034f\ufe0f\u2800", "\\u{3164}\\u{34f}\\u{fe0f}\\u{2800}"],
    ["x".repeat(80), "x".repeat(80)],
    [`${"a".repeat(48)}bc${"d".repeat(31)}`, `${"a".repeat(48)}…${"d".repeat(31)}`],
  ])("shows %j as %j", (text, shown) => {
    expect(visible(text)).toBe(shown);
  });
});

describe("foreign text inside payrun's own messages", () => {
  test.each([
    ["two\nlines", "two\\u{a}lines"],
    ["\u001b[2J\u009b1A\u007f", "\\u{1b}[2J\\u{9b}1A\\u{7f}"],
    ["a\u202eb\u2066c\u200f", "a\\u{202e}b\\u{2066}c\\u{200f}"],
    ["a\u2028b\u2029", "a\\u{2028}b\\u{2029}"],
    ["\ud800", "\\u{d800}"],
  ])("escapes %j, which could forge lines, as %j", (text, shown) => {
    expect([canForgeLines(text), printable(text), canForgeLines(shown)]).toEqual([
      true,
      shown,
      false,
    ]);
  });

  test.each(["", "Gehälter März.csv", "給与 2026年11月", "a\u00a0b\u200b", "x".repeat(300)])(
    "leaves %j unchanged",
    (text) => {
      expect([canForgeLines(text), printable(text)]).toEqual([false, text]);
    },
  );
});
