import { expect, test } from "vitest";
import { typedProblems } from "#intake/text/typed-problems.ts";
import { problem, type ProblemCode } from "#intake/text/problems.ts";

const found = (code: ProblemCode, column: string) =>
  problem(code, { line: 2, column, found: "15" }, { expected: "3 digits, such as 015" });

test.each([
  "lost_leading_zeros",
  "scientific_notation",
  "turned_into_date",
  "trailing_point_zero",
] as const)("states the rule for a typed value with the problem %s", (code) => {
  expect(typedProblems([found(code, "branch_code")], new Set(["branch_code"]))).toEqual([
    {
      ...found(code, "branch_code"),
      message: "branch_code must be 3 digits, such as 015.",
      correction: "Enter the full value, with its leading zeros.",
    },
  ]);
});

test("keeps the problems of the file and other problems", () => {
  const read = [found("lost_leading_zeros", "branch_code"), found("bad_bank_code", "bank_code")];
  expect(typedProblems(read, new Set(["bank_code"]))).toEqual(read);
});
