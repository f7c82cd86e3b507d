import { expect, test } from "vitest";
import { type Problem, PROBLEMS, problem } from "#batch/problems.ts";
import type { RowSettings, RowVerdict } from "#batch/row.ts";
import { visible } from "#batch/visible.ts";
import { type Cells, cellsOf, INR, readRows } from "./good-row.ts";

const problemsOf = (verdict: RowVerdict | undefined): readonly Problem[] =>
  verdict?.kind === "draft" ? verdict.warnings : (verdict?.problems ?? []);
const codesOf = (verdict: RowVerdict | undefined) => problemsOf(verdict).map(({ code }) => code);
const checkOne = (row: Cells, settings?: Partial<RowSettings>) =>
  codesOf(readRows([row], settings)[0]);

test("a good row becomes exactly what is sent", () => {
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

test("the same beneficiary, currency and amount again is a warning that names the first line", () => {
  const other = { ...INR, user_id: "U-2", reference: "another note" };
  const verdicts = readRows([INR, { ...INR, transaction_amount: "100.01" }, other]);
  expect(verdicts.map(codesOf)).toEqual([[], [], ["row_repeated"]]);
  expect(problemsOf(verdicts[2])[0]?.message).toContain("line 2.");
});

test("100 and 100.00 are the same amount", () => {
  expect(readRows([INR, { ...INR, transaction_amount: "100" }]).map(codesOf)).toEqual([
    [],
    ["row_repeated"],
  ]);
});

test("a transaction code again is an error that names the first line", () => {
  const rows = ["A-1", "a-1", "A-1"].map((transaction_code, i) => ({
    ...INR,
    transaction_code,
    transaction_amount: `${i + 1}`,
  }));
  const verdicts = readRows(rows);
  expect(verdicts.map(({ kind }) => kind)).toEqual(["draft", "draft", "rejected"]);
  expect(problemsOf(verdicts[2])[0]?.message).toBe(
    "The transaction code stands already on line 2.",
  );
});

test.each([
  ["raw", "https://example.com/cb?x=1", ["not_carried"]],
  ["any", "https://example.com/cb?x=1", []],
  ["raw", "http://localhost:8080/cb", []],
  ["any", "javascript:alert(1)", ["bad_callback_url"]],
  ["any", "https://", ["bad_callback_url"]],
  ["any", "https://exa mple.com", ["bad_callback_url"]],
] as const)("with the layout %s the callback %s gives %j", (carries, callback_url, codes) => {
  const callbackOrigins = new Set(["https://example.com", "http://localhost:8080"]);
  expect(checkOne({ ...INR, callback_url }, { carries, callbackOrigins })).toEqual(codes);
});

test.each(["&", "=", "%", "+"])(
  "F90 %s is carried by a layout that escapes, and by no other",
  (char) => {
    const row = { ...INR, account_name: `Asha ${char} Sons` };
    expect(checkOne(row, { carries: "any" })).toEqual([]);
    expect(checkOne(row, { carries: "raw" })).toEqual(["not_carried"]);
  },
);

test("a key or name is never to be changed for the layout: the settings that carry it are named", () => {
  const row = { ...INR, bank_name: "Punjab & Sind Bank" };
  const [told] = problemsOf(readRows([row], { carries: "raw" })[0]);
  expect(told?.code).toBe("not_carried");
  expect(told?.repair).toContain("GATEWAY_PAYOUT_LAYOUT=json");
  expect(told?.repair).toContain("GATEWAY_ESCAPING=percent");
  expect(told?.repair).toContain("payout_layout");
  expect(told?.repair).not.toMatch(/leave .* out|delete|replace/i);
});

test("a row is held to the layout of its own currency", () => {
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

test("F84 control characters are refused by every layout", () => {
  expect(checkOne({ ...INR, account_name: "Asha\r\nVerma" }, { carries: "any" })).toEqual([
    "control_character",
  ]);
});

test("F92 a limit is the largest amount that is taken", () => {
  const amountLimits = new Map([["INR", 10_000n]]);
  expect(checkOne(INR, { amountLimits })).toEqual([]);
  expect(checkOne({ ...INR, transaction_amount: "100.01" }, { amountLimits })).toEqual([
    "amount_above_limit",
  ]);
});

test("an amount above the limit of its currency is told the limit", () => {
  const row = { ...INR, transaction_amount: "20000000.01" };
  expect(problemsOf(readRows([row])[0])).toMatchObject([
    { code: "amount_above_limit", expected: "at most 20000000.00" },
  ]);
});

test("a currency without credentials is refused, and the others are named", () => {
  const [verdict] = readRows([INR], { currencies: new Set(["JPY", "THB"]) });
  expect(problemsOf(verdict)).toMatchObject([
    { code: "currency_without_merchant", expected: "one of JPY THB" },
  ]);
});

test("an IFSC in small letters is told as it is to be written", () => {
  expect(problemsOf(readRows([{ ...INR, ifsc_code: "hdfc0000001" }])[0])).toMatchObject([
    {
      code: "ifsc_misspelt",
      found: "hdfc0000001",
      expected: "HDFC0000001",
      repair: "Write HDFC0000001, if that is the code on the cheque or the bank's page.",
    },
  ]);
});

test("an unknown bank code is a warning, or an error by setting", () => {
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

test("F89 blanks around a value are nothing, and a name is sent in its composed form", () => {
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
  ["the wide one of Japanese names, which stays", "山田\u3000太郎", "山田\u3000太郎"],
])("F89 a blank within a name: %s", (_, written, sent) => {
  expect(readRows([{ ...INR, account_name: written }])).toMatchObject([
    { kind: "draft", draft: { details: { account_name: sent } } },
  ]);
});

test("what was found is shown with its invisible characters, and cut", () => {
  expect(visible("Asha\u202e\t\u00a0x")).toBe("Asha\\u{202e}\\u{9}\\u{a0}x");
  expect(visible("a".repeat(500)).length).toBeLessThanOrEqual(80);
  expect(problem("nul_character", { column: "x", found: "a\0b" }).found).toBe("a\\u{0}b");
});

test("a problem without a value for its text is a bug", () => {
  expect(() => problem("amount_above_limit")).toThrow("no value for");
  for (const { expected, repair, message } of Object.values(PROBLEMS)) {
    for (const text of [expected, repair, message]) expect(text.length).toBeGreaterThan(3);
  }
});

test("an empty cell is told what was expected in it", () => {
  const empty = { ...INR, account_name: "", bank_account_number: "", bank_name: "" };
  const expected = problemsOf(readRows([empty])[0]).map(({ column, expected: words }) => [
    column,
    words,
  ]);
  expect(expected).toEqual([
    ["account_name", "a name"],
    ["bank_account_number", "4 to 24 digits, without blanks or dashes"],
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
      expected: "a Tron address: T and 33 more characters, with a right checksum",
    },
  ]);
});

test("a row of an unknown currency is not asked for what only some currencies need", () => {
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

test("what a currency does not carry is told, and left out", () => {
  const [verdict] = readRows([{ ...INR, branch_code: "015", address: "T1" }]);
  expect(problemsOf(verdict).map(({ code, column }) => `${column} ${code}`)).toEqual([
    "branch_code value_unused",
    "address value_unused",
  ]);
  expect(verdict?.kind === "draft" && Object.keys(verdict.draft.details)).not.toContain("address");
});

test("a code that the settings call crypto is paid to a wallet, whatever its name", () => {
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
