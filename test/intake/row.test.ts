import { expect, test } from "vitest";
import { type Problem, PROBLEMS, problem } from "#intake/text/problems.ts";
import type { RowVerdict } from "#intake/row.ts";
import type { RowSettings } from "#intake/row-settings.ts";
import { visible } from "#base/invisible-characters.ts";
import { type Cells, cellsOf, INR, readRows } from "./good-row.ts";

const problemsOf = (verdict: RowVerdict | undefined): readonly Problem[] =>
  verdict?.kind === "draft" ? verdict.warnings : (verdict?.problems ?? []);
const codesOf = (verdict: RowVerdict | undefined) => problemsOf(verdict).map(({ code }) => code);
const checkOne = (row: Cells, settings?: Partial<RowSettings>) =>
  codesOf(readRows([row], settings)[0]);

test("sends exactly the values of a valid row", () => {
  const row = {
    ...INR,
    transaction_code: "A.b-1_2",
    payout_code: "P001",
    callback_url: "https://example.com/cb",
    reference: "May",
  };
  const callbackOrigins = new Set(["https://example.com"]);
  expect(readRows([row], { callbackOrigins })).toEqual([
    {
      kind: "draft",
      line: 2,
      cells: cellsOf(row),
      warnings: [],
      draft: {
        transactionCode: "A.b-1_2",
        money: { currency: "INR", minor: 10_000n, minorDigits: 2 },
        details: {
          user_id: "U-1",
          account_name: "Asha Verma",
          bank_account_number: "50100012345678",
          ifsc_code: "HDFC0000001",
          bank_code: "HDFC",
          bank_name: "HDFC Bank",
        },
        payoutCode: "P001",
        callbackUrl: "https://example.com/cb",
        reference: "May",
      },
    },
  ]);
});

test("warns about the same beneficiary, currency and amount with the first line", () => {
  const other = { ...INR, user_id: "U-2", reference: "another note" };
  const verdicts = readRows([INR, { ...INR, transaction_amount: "100.01" }, other]);
  expect(verdicts.map(codesOf)).toEqual([[], [], ["row_repeated"]]);
  expect(problemsOf(verdicts[2])[0]?.message).toBe(
    "This row has the same beneficiary, currency and amount as line 2.",
  );
});

test("treats 100 and 100.00 as the same amount", () => {
  expect(readRows([INR, { ...INR, transaction_amount: "100" }]).map(codesOf)).toEqual([
    [],
    ["row_repeated"],
  ]);
});

test("refuses a repeated transaction code with its first line", () => {
  const rows = ["A-1", "a-1", "A-1"].map((transaction_code, i) => ({
    ...INR,
    transaction_code,
    transaction_amount: `${i + 1}`,
  }));
  const verdicts = readRows(rows);
  expect(verdicts.map(({ kind }) => kind)).toEqual(["draft", "draft", "rejected"]);
  expect(problemsOf(verdicts[2])[0]?.message).toBe(
    "The transaction code is already used on line 2.",
  );
});

test.each([
  ["raw", "https://example.com/cb?x=1", ["not_carried"]],
  ["any", "https://example.com/cb?x=1", []],
  ["raw", "http://localhost:8080/cb", []],
  ["any", "javascript:alert(1)", ["bad_callback_url"]],
  ["any", "https://", ["bad_callback_url"]],
  ["any", "https://exa mple.com", ["bad_callback_url"]],
] as const)(
  "reports, with the layout %s, the callback %s as %j",
  (carries, callback_url, codes) => {
    const callbackOrigins = new Set(["https://example.com", "http://localhost:8080"]);
    expect(checkOne({ ...INR, callback_url }, { carries, callbackOrigins })).toEqual(codes);
  },
);

test.each(["&", "=", "%", "+"])("F90 allows %s only in a layout that escapes", (char) => {
  const row = { ...INR, account_name: `Asha ${char} Sons` };
  expect(checkOne(row, { carries: "any" })).toEqual([]);
  expect(checkOne(row, { carries: "raw" })).toEqual(["not_carried"]);
});

test("names the settings that support a key or name, and never asks to change the value", () => {
  const row = { ...INR, bank_name: "Punjab & Sind Bank" };
  const [told] = problemsOf(readRows([row], { carries: "raw" })[0]);
  expect(told?.code).toBe("not_carried");
  expect(told?.correction).toContain("GATEWAY_PAYOUT_LAYOUT=json");
  expect(told?.correction).toContain("GATEWAY_ESCAPING=percent");
  expect(told?.correction).toContain("payout_layout");
  expect(told?.correction).not.toMatch(/leave .* out|delete|replace/i);
});

test('suggests "and" for & in a listed bank name, but not in other columns or currencies', () => {
  const told = (row: Partial<Cells>) => {
    const [first] = problemsOf(readRows([{ ...INR, ...row }], { carries: "raw" })[0]);
    return first;
  };
  const listed = "The Hongkong & Shanghai B.C. (Bank HSBC)";
  expect(told({ currency_code: "IDR", bank_code: "HSBC", bank_name: listed })).toMatchObject({
    code: "bank_name_not_carried",
    expected: "The Hongkong and Shanghai B.C. (Bank HSBC)",
    correction: expect.stringMatching(/^Enter The Hongkong and Shanghai .*payout_layout/),
  });
  expect(told({ currency_code: "IDR", bank_code: "HSBC", account_name: listed })?.code).toBe(
    "not_carried",
  );
  expect(told({ bank_name: listed })?.code).toBe("not_carried");
});

test("does not suggest cutting a name that starts like a formula, because the rest may be another person's name", () => {
  const [told] = problemsOf(readRows([{ ...INR, account_name: "@Asha" }])[0]);
  expect(told?.code).toBe("name_starts_a_formula");
  expect(told?.correction).toMatch(/^Compare the cell with its source.* Do not simply delete/);
});

test("checks a row against the layout of its own currency", () => {
  const row = {
    ...INR,
    account_name: "Asha & Sons",
    callback_url: "https://example.com/cb?x=1",
  };
  const told = (carries: "raw" | "any", own: "raw" | "any", currency = "INR") =>
    checkOne(row, {
      carries,
      carriesOf: new Map([[currency, own]]),
      callbackOrigins: new Set(["https://example.com"]),
    });
  expect(told("raw", "any")).toEqual([]);
  expect(told("any", "raw")).toEqual(["not_carried", "not_carried"]);
  expect(told("raw", "any", "BRL")).toEqual(["not_carried", "not_carried"]);
});

test("F84 refuses control characters with every layout", () => {
  expect(checkOne({ ...INR, account_name: "Asha\r\nVerma" }, { carries: "any" })).toEqual([
    "control_character",
  ]);
});

test("F92 accepts exactly the limit and refuses more", () => {
  const amountLimits = new Map([["INR", 10_000n]]);
  expect(checkOne(INR, { amountLimits })).toEqual([]);
  expect(checkOne({ ...INR, transaction_amount: "100.01" }, { amountLimits })).toEqual([
    "amount_above_limit",
  ]);
});

test("states the limit of the currency for an amount above it", () => {
  const row = { ...INR, transaction_amount: "20000000.01" };
  expect(problemsOf(readRows([row])[0])).toMatchObject([
    { code: "amount_above_limit", expected: "at most 2,00,00,000.00" },
  ]);
});

test("refuses a currency without credentials and names the others", () => {
  const [verdict] = readRows([INR], { currencies: new Set(["JPY", "THB"]) });
  expect(problemsOf(verdict)).toMatchObject([
    { code: "currency_without_merchant", expected: "one of JPY THB" },
  ]);
});

test("shows a lower-case IFSC in its correct spelling", () => {
  expect(problemsOf(readRows([{ ...INR, ifsc_code: "hdfc0000001" }])[0])).toMatchObject([
    {
      code: "ifsc_misspelt",
      found: "hdfc0000001",
      expected: "HDFC0000001",
      correction: "Enter HDFC0000001 if that is the code on a cheque or on the bank's website.",
    },
  ]);
});

test("reports an unknown bank code as a warning, or as an error by setting", () => {
  const row = { ...INR, currency_code: "MYR", ifsc_code: "", bank_code: "mbb" };
  const [warned] = readRows([row]);
  expect(warned).toMatchObject({
    kind: "draft",
    warnings: [
      {
        code: "bank_unknown",
        expected: "MBB (Maybank Berhad), PBB (Public Bank Berhad)",
      },
    ],
  });
  expect(readRows([row], { bankCodes: "error" })).toMatchObject([{ kind: "rejected" }]);
});

test("F89 trims blanks around a value and sends a name in composed form", () => {
  const [verdict] = readRows([
    { ...INR, transaction_amount: " 100.00 ", account_name: "\u00a0Joa\u0303o " },
  ]);
  expect(verdict).toMatchObject({
    kind: "draft",
    draft: { details: { account_name: "Jo\u00e3o" } },
  });
});

test.each([
  ["a no-break one", "Asha\u00a0Rao", "Asha Rao"],
  ["a narrow one", "Asha\u202fRao", "Asha Rao"],
  ["the wide one of Japanese names, which is kept", "山田\u3000太郎", "山田\u3000太郎"],
])("F89 normalises a blank within a name: %s", (_, written, sent) => {
  expect(readRows([{ ...INR, account_name: written }])).toMatchObject([
    { kind: "draft", draft: { details: { account_name: sent } } },
  ]);
});

test("shows the found value with visible control characters, truncated", () => {
  expect(visible("Asha\u202e\t\u00a0x")).toBe("Asha\\u{202e}\\u{9}\\u{a0}x");
  expect(visible("a".repeat(500)).length).toBeLessThanOrEqual(80);
  expect(problem("nul_character", { column: "x", found: "a\0b" }).found).toBe("a\\u{0}b");
});

test("throws for a problem that lacks a value that its text needs", () => {
  expect(() => problem("amount_above_limit")).toThrow("no value for");
  for (const { expected, correction, message } of Object.values(PROBLEMS)) {
    for (const text of [expected, correction, message]) expect(text.length).toBeGreaterThan(3);
  }
});

test("states the expected value for an empty cell", () => {
  const empty = { ...INR, account_name: "", bank_account_number: "", bank_name: "" };
  const expected = problemsOf(readRows([empty])[0]).map(({ column, expected: words }) => [
    column,
    words,
  ]);
  expect(expected).toEqual([
    ["account_name", "a name"],
    ["bank_account_number", "4 to 24 digits, without spaces or dashes"],
    ["bank_name", "a name"],
  ]);
  const crypto = {
    user_id: "U",
    account_name: "Asha",
    currency_code: "USDT",
    transaction_amount: "1",
  };
  expect(problemsOf(readRows([crypto])[0])).toMatchObject([
    {
      column: "address",
      expected: "a Tron address: T followed by 33 characters, with a valid checksum",
    },
  ]);
});

test("does not ask a row of an unknown currency for fields that only some currencies need", () => {
  const row = {
    user_id: "U",
    account_name: "Asha",
    currency_code: "XXX",
    transaction_amount: "1.123456789",
  };
  expect(checkOne(row)).toEqual(["currency_unknown"]);
  expect(checkOne({ ...row, bank_account_number: "?", bank_code: "?" })).toEqual([
    "currency_unknown",
    "account_without_digits",
    "bad_bank_code",
  ]);
  expect(checkOne({ ...row, ifsc_code: "x", address: "y" })).toEqual(["currency_unknown"]);
});

test("warns about a value that the currency does not use, and leaves it out", () => {
  const [verdict] = readRows([{ ...INR, branch_code: "015", address: "T1" }]);
  expect(problemsOf(verdict).map(({ code, column }) => `${column} ${code}`)).toEqual([
    "branch_code value_unused",
    "address value_unused",
  ]);
  expect(verdict?.kind === "draft" && Object.keys(verdict.draft.details)).not.toContain("address");
});

test("pays a code configured as crypto to a wallet, whatever its name", () => {
  const crypto = new Map([["TRY", { chain: "tron", minorDigits: 2 }]] as const);
  const row = {
    user_id: "U",
    account_name: "Asha",
    currency_code: "TRY",
    transaction_amount: "1.00",
  };
  expect(checkOne(row, { crypto })).toEqual(["value_missing"]);
  expect(checkOne({ ...row, address: "TYK2LXkv7YLPedVkXMfSU7x2kLpqRK6RNC" }, { crypto })).toEqual(
    [],
  );
});
