import { expect, test } from "vitest";
import { maskCells, maskPayout, maskProblem } from "#intake/masking.ts";
import { problem } from "#intake/text/problems.ts";

test("masks all but the last digits in columns that may hold an account, whatever the spelling", () => {
  const header = ["Bank Account Number", "phone-number", "ADDRESS", "account_name", "note"];
  const cells = ["50100012345678", "01812345678", "TYK2", "Asha Verma", "50100012345678"];
  expect(maskCells(header, cells, false)).toEqual([
    "••••••••••5678",
    "•••••••5678",
    "TYK2",
    "Asha Verma",
    "••••••••••5678",
  ]);
  expect(maskCells(["phone_number", "address", ""], ["", "12345", "123456"], false)).toEqual([
    "",
    "•2345",
    "••3456",
  ]);
});

test("masks the account in every column of its row", () => {
  const header = ["user_id", "bank_account_number", "reference", "callback_url", "note"];
  const cells = ["50100012345678", "50100012345678", "no. 5010-0012 345678", "https://a/5", "2026"];
  expect(maskCells(header, cells, false)).toEqual([
    "••••••••••5678",
    "••••••••••5678",
    "••••••••••••••••5678",
    "https://a/5",
    "2026",
  ]);
  expect(maskCells(header, ["123", "123", "a 123", "", "12"], false)[2]).toBe("a 123");
});

test("masks every cell of a row whose cells may have shifted", () => {
  const header = ["user_id", "account_name", "bank_account_number", "reference"];
  const tooLong = ["U-1", "Rao", " Asha", "50100012345678", "salary"];
  expect(maskCells(header, tooLong, false)).toEqual([
    "U-1",
    "Rao",
    "•Asha",
    "••••••••••5678",
    "••lary",
  ]);
  expect(maskCells(header, ["U-1", "50100012345678"], false)).toEqual(["U-1", "••••••••••5678"]);
});

test("masks values that look like accounts in a rejected row, except in their proper columns", () => {
  const header = ["transaction_amount", "account_name", "ifsc_code", "user_id", "currency_code"];
  const inPlace = ["12345678.50", "Asha Verma", "HDFC0000001", "U-12345", "INR"];
  expect(maskCells(header, inPlace, true)).toEqual(inPlace);
  const shifted = ["501000123", "5010 0012 3456", "50100012345678", "U-123456", "INR"];
  expect(maskCells(header, shifted, true)).toEqual([
    "•••••0123",
    "••••••••••3456",
    "••••••••••5678",
    "••••3456",
    "INR",
  ]);
  expect(maskCells(header, shifted, false)).toEqual(shifted);
});

test("masks the found value of a problem where it may contain an account", () => {
  const found = (column: string | null, text: string | null) =>
    maskProblem(problem("control_character", { line: 2, column, found: text })).found;
  expect(found("bank_account_number", "50100012345678")).toBe("••••••••••5678");
  expect(found("account_name", "Asha Verma")).toBe("Asha Verma");
  expect([found("address", null), found("note", "12345")]).toEqual([null, "•2345"]);
  expect(found("account_name", "50100012345678")).toBe("••••••••••5678");
  expect([found(null, "123456"), found(null, "12345")]).toEqual(["••3456", "12345"]);
  expect(found("Transaction Amount", "12345678.999")).toBe("12345678.999");
  expect(found("transaction_amount", "1,234,567.89")).toBe("1,234,567.89");
  // A person who corrects a value must see it, also with an error in its groups or its length.
  expect(found("transaction_amount", "1.00.000,00")).toBe("1.00.000,00");
  expect(found("ifsc_code", "UTIB000001")).toBe("UTIB000001");
  expect(found("bank_code", "970436")).toBe("970436");
  expect(found("bank_code", "9704361")).toBe("•••4361");
  expect(found("transaction_amount", "5010 0012 3456")).toBe("••••••••••3456");
  expect(found("transaction_amount", "501000123456")).toBe("••••••••3456");
  const told = problem("control_character", { line: 2, column: "address", found: "12345" });
  expect(maskProblem(told)).toEqual({ ...told, found: "•2345" });
});

test("masks the found value of a malformed row in every column and wherever it is quoted", () => {
  const shifted = problem("nul_character", { line: 2, column: "reference", found: "5010 A" });
  expect(maskProblem(shifted).found).toBe("••10 A");
  const quoted = { ...shifted, message: "reference holds 5010 A." };
  expect(maskProblem(quoted).message).toBe("reference holds ••10 A.");
});

test("masks the account of a payout in its reference and its name as well", () => {
  const details = {
    user_id: "U-1",
    account_name: "Acc 50100012340001",
    bank_account_number: "50100012340001",
    bank_code: "HDFC",
  };
  expect(maskPayout("INR", { details, reference: "To 5010-0012-340001" })).toEqual({
    details: {
      user_id: "U-1",
      account_name: "••••••••••••••0001",
      bank_account_number: "••••••••••0001",
      bank_code: "HDFC",
    },
    reference: "•••••••••••••••0001",
  });
  expect(maskPayout("INR", { details, reference: "March" }).reference).toBe("March");
  expect(maskPayout("INR", { details, reference: null }).reference).toBeNull();
});

test("masks a PIX key as the account of a payout in BRL, but not a bank name", () => {
  const header = ["currency_code", "bank_name"];
  expect(maskCells(header, ["BRL", "ana@example.com"], false)[1]).toBe("•••••••••••.com");
  expect(maskCells(header, ["INR", "HDFC Bank"], false)[1]).toBe("HDFC Bank");
  const details = { bank_name: "ana@example.com", bank_code: "EMAIL" };
  expect(maskPayout("BRL", { details, reference: "for ana" }).details).toEqual({
    bank_name: "•••••••••••.com",
    bank_code: "EMAIL",
  });
  const told = problem("control_character", { line: 2, column: "bank_name", found: "ana@x.com" });
  expect(maskProblem(told).found).toBe("•••••.com");
});

test("masks the intended form of a key whose letters were misread", () => {
  const misread = (column: string, found: string, meant: string) =>
    maskProblem(problem("letters_misread", { line: 2, column, found }, { meant }));
  expect(misread("bank_name", "joÃ£o@x.com", "joão@x.com")).toMatchObject({
    found: "•••••••.com",
    expected: "••••••.com",
  });
  expect(misread("account_name", "JoÃ£o", "João")).toMatchObject({ expected: "João" });
});
