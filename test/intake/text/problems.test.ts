import { describe, expect, test } from "vitest";
import { type ProblemCode, PROBLEMS, problem } from "#intake/text/problems.ts";

/** A value for every placeholder of the messages. */
const VALUES = {
  line: 7,
  column: "bank_code",
  batch: "B-1",
  cells: "C2:C9",
  codes: "W1, W2",
  character: "U+200B",
  columns: "15",
  count: 16,
  currencies: "INR JPY",
  currency: "INR",
  days: 7,
  digits: 2,
  encoding: "UTF-8",
  example: "1234.56",
  expected: "a bank code",
  fault: "has fewer than 11 characters",
  first: 3,
  hint: " (closest match: bank_code)",
  hints: '"Amount" as transaction_amount',
  lack: " Still missing: user_id.",
  names: '"Amount", "Net pay"',
  reading: "amounts as 1,234.56",
  who: "which the uploader confirmed",
  kind: "a PDF",
  limit: "64",
  meant: "João",
  name: "Maybank Berhad",
  nearest: "MBB (Maybank Berhad)",
  offered: "The Hongkong and Shanghai B.C. (Bank HSBC)",
  offset: 12,
  own: "Bank Of Ayudhya",
  origin: "https://shop.example",
  origins: "https://pay.example",
  position: 4,
  rows: "65536",
  second: 5,
  sign: "€",
  style: "1,234.56",
  why: "its archive is damaged",
};

test("lists the message of every problem in problems.txt; npm test -- -u updates it", async () => {
  const said = Object.keys(PROBLEMS).map((code) => {
    const { severity, message, expected, correction } = problem(code as ProblemCode, {}, VALUES);
    return `${code}: ${severity}\n  ${message}\n  expected: ${expected}\n  ${correction}\n`;
  });
  await expect(said.join("\n")).toMatchFileSnapshot("problems.txt");
});

describe("a problem", () => {
  test("states its line and column, or that it has none", () => {
    expect(problem("quote_unbalanced", { line: 7 }).message).toContain("on line 7 is");
    expect(problem("quote_unbalanced").message).toContain("on line ? is");
    expect(problem("nul_character", { column: "user_id" }).message).toMatch(/^user_id contains/);
    expect(problem("nul_character").message).toMatch(/^\? contains/);
  });

  test("has the severity of the table or of a setting", () => {
    expect(problem("column_unnamed", {}, { position: 1 }).severity).toBe("warning");
    expect(problem("amount_missing", {}, { example: "1" }).severity).toBe("error");
    expect(problem("amount_missing", { severity: "warning" }, { example: "1" }).severity).toBe(
      "warning",
    );
  });

  test("shows the found value in visible form, or nothing", () => {
    expect(problem("nul_character", { found: "a\0" }).found).toBe("a\\u{0}");
    expect(problem("nul_character").found).toBeNull();
  });

  test("ignores properties inherited from Object", () => {
    expect(() => problem("amount_above_limit", {}, { currency: "INR" })).toThrow(
      "no value for {limit}",
    );
  });
});
