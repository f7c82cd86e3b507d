import { expect, test } from "vitest";
import { coverCells, coverProblem } from "#batch/cover.ts";
import { problem } from "#batch/problems.ts";

test("accounts, phones and wallets are covered but for their end, however the column is written", () => {
  const header = ["Bank Account Number", "phone-number", "ADDRESS", "account_name", "note"];
  const cells = ["50100012345678", "01812345678", "TYK2", "Asha Verma", "50100012345678", "12345"];
  expect(coverCells(header, cells)).toEqual([
    "••••••••••5678",
    "•••••••5678",
    "TYK2",
    "Asha Verma",
    "50100012345678",
    "12345",
  ]);
  expect(coverCells(header, ["", "12345", "123"])).toEqual(["", "•2345", "123"]);
});

test("what was found in such a column is covered in its problem, and nothing else is", () => {
  const found = (column: string | null, text: string | null) =>
    coverProblem(problem("nul_character", { line: 2, column, found: text })).found;
  expect(found("bank_account_number", "50100012345678")).toBe("••••••••••5678");
  expect(found("account_name", "Asha Verma")).toBe("Asha Verma");
  expect([found("address", null), found(null, "12345678")]).toEqual([null, "12345678"]);
  const told = problem("nul_character", { line: 2, column: "address", found: "12345" });
  expect(coverProblem(told)).toEqual({ ...told, found: "•2345" });
});
