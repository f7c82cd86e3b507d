import { describe, expect, test } from "vitest";
import { formulaSafe, startsFormula } from "#batch/formula.ts";
import { problem } from "#batch/problems.ts";
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

describe("a problem", () => {
  test("says its line and column, or that there are none", () => {
    expect(problem("quote_unbalanced", { line: 7 }).message).toContain("on line 7 is");
    expect(problem("quote_unbalanced").message).toContain("on line ? is");
    expect(problem("nul_character", { column: "user_id" }).message).toMatch(/^user_id holds/);
    expect(problem("nul_character").message).toMatch(/^\? holds/);
  });

  test("is as severe as the table says, or as a setting says", () => {
    expect(problem("column_unnamed", {}, { position: 1 }).severity).toBe("warning");
    expect(problem("amount_missing", {}, { example: "1" }).severity).toBe("error");
    expect(problem("amount_missing", { severity: "warning" }, { example: "1" }).severity).toBe(
      "warning",
    );
  });

  test("shows what was found, made visible, or nothing", () => {
    expect(problem("nul_character", { found: "a\0" }).found).toBe("a\\u{0}");
    expect(problem("nul_character").found).toBeNull();
  });

  test("takes no value from what every object has", () => {
    expect(() => problem("amount_above_limit", {}, { currency: "INR" })).toThrow(
      "no value for {limit}",
    );
  });
});
