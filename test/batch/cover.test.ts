import { expect, test } from "vitest";
import { coverCells, coverProblem } from "#batch/cover.ts";
import { problem } from "#batch/problems.ts";

test("all but columns that tell no account are covered but for their end, however they are written", () => {
  const header = ["Bank Account Number", "phone-number", "ADDRESS", "account_name", "note"];
  const cells = ["50100012345678", "01812345678", "TYK2", "Asha Verma", "50100012345678"];
  expect(coverCells(header, cells)).toEqual([
    "••••••••••5678",
    "•••••••5678",
    "TYK2",
    "Asha Verma",
    "••••••••••5678",
  ]);
  expect(coverCells(["phone_number", "address", ""], ["", "12345", "123456"])).toEqual([
    "",
    "•2345",
    "••3456",
  ]);
});

test("in a row whose cells may have shifted all are covered", () => {
  const header = ["user_id", "account_name", "bank_account_number", "reference"];
  const tooLong = ["U-1", "Rao", " Asha", "50100012345678", "salary"];
  expect(coverCells(header, tooLong)).toEqual(["U-1", "Rao", "•Asha", "••••••••••5678", "••lary"]);
  expect(coverCells(header, ["U-1", "50100012345678"])).toEqual(["U-1", "••••••••••5678"]);
});

test("what was found is covered in its problem where it may tell an account", () => {
  const found = (column: string | null, text: string | null) =>
    coverProblem(problem("control_character", { line: 2, column, found: text })).found;
  expect(found("bank_account_number", "50100012345678")).toBe("••••••••••5678");
  expect(found("account_name", "Asha Verma")).toBe("Asha Verma");
  expect([found("address", null), found("note", "12345")]).toEqual([null, "•2345"]);
  expect(found("account_name", "50100012345678")).toBe("••••••••••5678");
  expect([found(null, "123456"), found(null, "12345")]).toEqual(["••3456", "12345"]);
  expect(found("Transaction Amount", "12345678.999")).toBe("12345678.999");
  const told = problem("control_character", { line: 2, column: "address", found: "12345" });
  expect(coverProblem(told)).toEqual({ ...told, found: "•2345" });
});

test("what was found in a row of a wrong shape is covered in whatever column, and where it is quoted", () => {
  const shifted = problem("nul_character", { line: 2, column: "reference", found: "5010 A" });
  expect(coverProblem(shifted).found).toBe("••10 A");
  const quoted = { ...shifted, message: "reference holds 5010 A." };
  expect(coverProblem(quoted).message).toBe("reference holds ••10 A.");
});
