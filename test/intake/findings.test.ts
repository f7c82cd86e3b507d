import { describe, expect, test } from "vitest";
import { findingKey, findingName, FindingTally } from "#intake/findings.ts";
import { type Problem, problem, PROBLEMS } from "#intake/text/problems.ts";
import type { RowVerdict } from "#intake/row.ts";

const missing = (line: number | null, column = "bank_code") =>
  problem("value_missing", { line, column }, { currency: "INR", expected: "a code" });
const repeated = (line: number) => problem("row_repeated", { line }, { first: 2 });
const rejected = (line: number): RowVerdict => ({
  kind: "rejected",
  line,
  cells: [],
  problems: [missing(line)],
});
const draft = (line: number, currency: string, minor: bigint, warned = false): RowVerdict => ({
  kind: "draft",
  line,
  cells: [],
  draft: {
    transactionCode: null,
    money: { currency, minor, minorDigits: 2 },
    details: {},
    payoutCode: null,
    callbackUrl: null,
    reference: null,
  },
  warnings: warned ? [repeated(line)] : [],
});

test("groups problems with the same correction under one key", () => {
  const keyOf = (found: Problem) => findingKey(findingName(found));
  expect(keyOf(missing(2))).toBe(keyOf(missing(9)));
  expect(keyOf(repeated(2))).toBe(keyOf(repeated(3)));
  expect(new Set([missing(2), missing(2, "bank_name"), repeated(2)].map(keyOf)).size).toBe(3);
});

test("describes a finding without values from a row", () => {
  const aboutCurrencies = Object.values(PROBLEMS).filter(({ message }) =>
    message.includes("{currency}"),
  );
  const told = aboutCurrencies.flatMap(({ message }) => message.match(/{\w+}/g) ?? []);
  // The sign comes from a number format and contains no digits.
  expect(new Set(told)).toEqual(new Set(["{column}", "{currency}", "{limit}", "{sign}"]));
});

describe("tally of a file", () => {
  test("adds up the payable rows only", () => {
    const tally = new FindingTally();
    tally.addRow(draft(2, "INR", 10_050n));
    tally.addRow(draft(3, "THB", 700n, true));
    tally.addRow(rejected(4));
    tally.addRow(draft(5, "INR", 1n));
    expect(tally.totalTexts()).toEqual({ INR: "100.51", THB: "7.00" });
    expect([...tally.totals.values()].map(({ rows }) => rows)).toEqual([2, 1]);
    expect([tally.problems, tally.listed]).toEqual([2, [repeated(3), missing(4)]]);
  });

  test("groups findings, the largest group first, with their first lines", () => {
    const tally = new FindingTally();
    tally.addProblems([missing(2, "bank_name"), repeated(2), missing(null)]);
    for (let line = 3; line < 10; line++) tally.addRow(rejected(line));
    expect(tally.groups("error")).toEqual([
      { first: missing(null), lines: [3, 4, 5, 6, 7], count: 8 },
      { first: missing(2, "bank_name"), lines: [2], count: 1 },
    ]);
    expect(tally.groups("warning")).toEqual([{ first: repeated(2), lines: [2], count: 1 }]);
  });

  test("does not apply a rule of another currency to a row", () => {
    const tally = new FindingTally();
    const of = (line: number, currency: string) =>
      problem("value_missing", { line, column: "bank_code" }, { currency, expected: "a code" });
    tally.addProblems([of(2, "THB"), of(3, "INR"), of(4, "THB")]);
    const told = tally.groups("error").map(({ first, lines }) => [first.message, lines]);
    expect(told).toEqual([
      ["bank_code is empty, but THB payouts require it.", [2, 4]],
      ["bank_code is empty, but INR payouts require it.", [3]],
    ]);
  });

  test("counts every problem and lists ten thousand", () => {
    const tally = new FindingTally();
    tally.addProblems(Array.from({ length: 10_001 }, () => repeated(3)));
    expect([tally.problems, tally.listed.length]).toEqual([10_001, 10_000]);
    expect(tally.groups("warning")[0]?.count).toBe(10_001);
  });
});
