import { describe, expect, test } from "vitest";
import { formulaSafe, startsFormula, withoutFormulaMark } from "#batch/formula.ts";
import { visible } from "#batch/visible.ts";

describe("a cell that a spreadsheet would run", () => {
  test.each(["=1+1", "+1", "-1", "@x", "\tx", "\rx", "\nx", "\0x", "＝1", "＋1", "－1", "＠x"])(
    "%j is marked as text",
    (cell) => {
      expect([startsFormula(cell), formulaSafe(cell)]).toEqual([true, `'${cell}`]);
    },
  );

  test.each(["", "1=1", " =1", "a@b", "'=1", "x\n=1"])("%j is not, and stays as it is", (cell) => {
    expect([startsFormula(cell), formulaSafe(cell)]).toEqual([false, cell]);
  });
});

test.each(["=1", "x", "", "'", "'x", "''=1", "@x"])("%j comes back as it was marked", (cell) => {
  expect(withoutFormulaMark(formulaSafe(cell))).toBe(cell);
});

describe("what is shown of a text", () => {
  test.each([
    ["plain text of any script, 山田", "plain text of any script, 山田"],
    ["a\tb", "a\\u{9}b"],
    ["a\u00a0b\u3000c d", "a\\u{a0}b\\u{3000}c d"],
    [
      "\u202e\u2028\u2029\ue000\udc00\u{10ffff}",
      "\\u{202e}\\u{2028}\\u{2029}\\u{e000}\\u{dc00}\\u{10ffff}",
    ],
    ["x".repeat(80), "x".repeat(80)],
    [`${"a".repeat(48)}bc${"d".repeat(31)}`, `${"a".repeat(48)}…${"d".repeat(31)}`],
  ])("of %j is %j", (text, shown) => {
    expect(visible(text)).toBe(shown);
  });
});
