import { describe, expect, test } from "vitest";
import { checkBank, trimmed } from "#intake/cell-check.ts";
import { COLUMNS, type Column } from "#intake/header/columns.ts";
import { planRowRules } from "#intake/row-plan.ts";
import type { Problem } from "#intake/text/problems.ts";
import { rowReader } from "#intake/row.ts";
import { DEFAULT_ROW_SETTINGS, type RowSettings } from "#intake/row-settings.ts";

const PLACES = new Map(COLUMNS.map((column, place) => [column, place]));
const MYR: Readonly<Partial<Record<Column, string>>> = {
  user_id: "U-1",
  currency_code: "MYR",
  transaction_amount: "10.00",
  account_name: "Nurul Huda",
  bank_account_number: "5123456789",
  bank_code: "MBB",
  bank_name: "Maybank Berhad",
};

function problemsOf(changes: typeof MYR, settings: Partial<RowSettings> = {}): readonly Problem[] {
  const row: typeof MYR = { ...MYR, ...changes };
  const callbackOrigins = new Set(["https://a.example"]);
  const read = rowReader(COLUMNS, PLACES, {
    ...DEFAULT_ROW_SETTINGS,
    callbackOrigins,
    ...settings,
  });
  const verdict = read(
    COLUMNS.map((column) => row[column] ?? ""),
    2,
  );
  return verdict.kind === "draft" ? verdict.warnings : verdict.problems;
}

// biome-ignore format: the columns are the point
test.each<[Column, number, (length: number) => string]>([
  ["reference",    200, (length) => "x".repeat(length)],
  ["callback_url", 500, (length) => `https://a.example/${"x".repeat(length - 18)}`],
  ["account_name", 140, (length) => "x".repeat(length)],
  ["bank_name",    140, (length) => "x".repeat(length)],
])("accepts %s with up to %i characters", (column, lengthMax, textOf) => {
  expect(problemsOf({ [column]: textOf(lengthMax) })).toEqual([]);
  expect(problemsOf({ [column]: textOf(lengthMax + 1) })).toMatchObject([
    { code: "value_too_long", column, severity: "error", expected: `at most ${lengthMax} characters` },
  ]);
});

test("checks a wallet address of any length and refuses one that is too long", () => {
  const wallet = { currency_code: "USDT", bank_account_number: "", bank_code: "", bank_name: "" };
  for (const length of [1, 128, 129, 60_000]) {
    expect(problemsOf({ ...wallet, address: "T".repeat(length) })).toMatchObject([
      {
        code: "bad_wallet_address",
        expected: "a Tron address: T followed by 33 characters, with a valid checksum",
      },
    ]);
  }
});

describe("blanks around a cell", () => {
  test.each([
    ["x", "x"],
    [" x", "x"],
    ["x ", "x"],
    ["\u00a0 x y \u00a0", "x y"],
    ["", ""],
    [" ", ""],
    ["   ", ""],
    ["\tx", "\tx"],
    ["x\u2003", "x\u2003"],
  ])("trims %j to %j", (cell, text) => {
    expect(trimmed(["before", cell, "after"], 1)).toBe(text);
  });

  test("reads an absent column or cell as empty", () => {
    expect([trimmed(["x"], -1), trimmed(["x"], 1)]).toEqual(["", ""]);
  });
});

describe("a bank code that does not accept payouts", () => {
  const idr = { currency_code: "IDR" };

  test("is a warning with the nearest match, or an error by setting", () => {
    const found = { code: "bank_unknown", column: "bank_code", found: "mbb" };
    expect(problemsOf({ bank_code: "mbb" })).toMatchObject([{ ...found, severity: "warning" }]);
    expect(problemsOf({ bank_code: "mbb" }, { bankCodes: "error" })).toMatchObject([
      { ...found, severity: "error" },
    ]);
  });

  test("refers to the provider's list when no code is similar", () => {
    expect(problemsOf({ bank_code: "99999999", bank_name: "Qqqqqqqq" })).toMatchObject([
      { code: "bank_unknown", expected: "a code from the provider's list" },
    ]);
  });

  test("is reported as a deposit bank", () => {
    expect(
      problemsOf({ ...idr, transaction_amount: "10", bank_code: "MDR", bank_name: "Mandiri" }),
    ).toMatchObject([
      {
        code: "bank_for_deposits",
        severity: "warning",
        message: expect.stringContaining("for deposits (Mandiri"),
        expected: expect.stringMatching(/^MANDIRI \(Mandiri Bank\), /),
      },
    ]);
  });

  test("is reported as under maintenance, but never as an error", () => {
    const php = { currency_code: "PHP", bank_code: "CPI", bank_name: "CIMB" };
    for (const bankCodes of ["warn", "error"] as const) {
      const [problem] = problemsOf(php, { bankCodes });
      expect(problem).toMatchObject({ code: "bank_in_maintenance", severity: "warning" });
      expect(problem?.message).toContain("CIMB Philippines, Inc.");
    }
  });
});

test("limits the memory for unknown bank codes in a large file", () => {
  const plan = planRowRules(PLACES, DEFAULT_ROW_SETTINGS).byCurrency.get("MYR");
  if (!plan) throw new Error("no plan for MYR");
  const remembered = Array.from({ length: 2_001 }, (_, i) => {
    checkBank(`X${i}`, "", plan, "warn", () => undefined);
    return plan.bankCodeFindings.size;
  });
  expect([Math.max(...remembered), remembered.at(-1)]).toEqual([2_000, 1]);
});
