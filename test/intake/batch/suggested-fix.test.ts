import { describe, expect, test } from "vitest";
import { suggestFix } from "#intake/batch/suggested-fix.ts";
import type { Problem } from "#intake/text/problems.ts";

type Case = readonly [code: Problem["code"], cell: string, fixed: string | null];

const INR = {
  style: "plain",
  unit: { currency: "INR", minorDigits: 2, gatewayDigits: 2 },
} as const;
const suggested = (
  code: Problem["code"],
  cell: string,
  context: Parameters<typeof suggestFix>[2] = INR,
) => suggestFix({ code }, cell, context)?.value ?? null;

describe("the suggested fix of a cell", () => {
  test.each<Case>([
    ["ifsc_misspelt", "hdfc0000001", "HDFC0000001"],
    ["bad_account_number", " 1234-5678 90 ", "1234567890"],
    ["bad_branch_code", "12-3", "123"],
    ["bad_phone_number", "017.1234-5678", "01712345678"],
    ["bad_id_number", "123.456.789-00", "12345678900"],
    ["control_character", "\u0007 Asha\u200b Rao \t", "Asha\u200b Rao"],
    ["invisible_character", "\u200bAsha Rao\u200b", "Asha Rao"],
    ["currency_unknown", "inr", "INR"],
    ["amount_separators", "1,234", "1234.00"],
    ["amount_separators", "1,234.50", "1234.50"],
    ["amount_groups_of_two", "1,25,000.50", "125000.50"],
    ["encoding_doubtful", "José Núñez", "José Núñez"],
  ])("of %s corrects %j to %j", (code, cell, fixed) => {
    expect(suggested(code, cell)).toBe(fixed);
  });

  test.each<Case>([
    ["bad_account_number", "1234.5678", null],
    ["bad_account_number", "---", null],
    ["currency_unknown", "INR", null],
    ["amount_too_many_decimals", "99.505", null],
    ["amount_separators", "one hundred", null],
    ["value_too_long", "Asha", null],
    ["encoding_doubtful", "Concei‡Æo", null],
  ])("of %s leaves %j to a person", (code, cell, fixed) => {
    expect(suggested(code, cell)).toBe(fixed);
  });

  test("writes an amount with the decimal separator of the file", () => {
    const comma = { ...INR, style: "1.234,56" } as const;
    expect(suggestFix({ code: "amount_separators" }, "1,234.50", comma)).toEqual({
      kind: "amounts",
      value: "1234,50",
    });
  });

  test("leaves an amount to a person if its comma may separate thousands or decimals", () => {
    const unit = { currency: "USDT", minorDigits: 6, gatewayDigits: 6 } as const;
    expect(suggested("amount_separators", "1,500", { style: "plain", unit })).toBeNull();
  });

  test("needs the currency of an amount", () => {
    const unknown = { style: "plain", unit: undefined } as const;
    expect(suggestFix({ code: "amount_separators" }, "1,234.50", unknown)).toBeNull();
  });
});
