import { expect, test } from "vitest";
import type { RowSettings } from "#intake/row-settings.ts";
import { type Cells, INR, readRows } from "../good-row.ts";

function readOne(row: Cells, settings?: Partial<RowSettings>) {
  const [verdict] = readRows([row], settings);
  if (!verdict) throw new Error("no row");
  return verdict;
}

/** The codes of everything reported for a row. */
function checkOne(row: Cells, settings?: Partial<RowSettings>) {
  const verdict = readOne(row, settings);
  const problems = verdict.kind === "draft" ? verdict.warnings : verdict.problems;
  return problems.map(({ code }) => code);
}

test.each([
  "user_id",
  "account_name",
  "bank_code",
  "bank_name",
  "transaction_code",
  "payout_code",
] as const)(
  "refuses the text null in %s with every layout, because the gateway reads it as no value",
  (column) => {
    for (const carries of ["raw", "any"] as const) {
      expect(checkOne({ ...INR, [column]: "null" }, { carries })).toEqual(["null_word"]);
    }
    expect(checkOne({ ...INR, account_name: "Anna Null" })).toEqual([]);
  },
);

const SENT = [
  "user_id",
  "account_name",
  "bank_account_number",
  "ifsc_code",
  "bank_code",
  "bank_name",
  "transaction_code",
  "payout_code",
  "callback_url",
] as const;

test.each([
  "#N/A",
  "#REF!",
  "#NAME?",
  "#VALUE!",
  "#DIV/0!",
  "#NUM!",
  "#NULL!",
  "#SPILL!",
  "#CALC!",
  "#n/a",
  "#N/D",
  "#WERT!",
])("F88 refuses the spreadsheet error %s in every field that is sent", (value) => {
  for (const column of SENT) {
    expect(checkOne({ ...INR, [column]: value })).toEqual(["error_value"]);
  }
  expect(checkOne({ ...INR, reference: value })).toEqual([]);
});

test.each([
  ["#N/A", "error_value"],
  ["########", "error_value"],
  ["NULL", "missing_word"],
  ["null", "null_word"],
  ["nil", "amount_not_a_number"],
])("F88 reports %s in place of an amount as a spreadsheet error", (value, code) => {
  expect(checkOne({ ...INR, transaction_amount: value })).toEqual([code]);
});

test.each([
  "NULL",
  "None",
  "NaN",
  "nan",
  "N/A",
  "n/a",
  "undefined",
  "(null)",
  "<NULL>",
  "\\N",
  "[object Object]",
])("refuses the placeholder %s in every field except a person's name", (value) => {
  for (const column of SENT) {
    const code = column === "account_name" ? "name_like_no_value" : "missing_word";
    expect(checkOne({ ...INR, [column]: value })).toEqual([code]);
  }
});

test("allows the surname Null and any text in a note", () => {
  expect(readOne({ ...INR, account_name: "NULL" }).kind).toBe("draft");
  for (const account_name of ["Anna Null", "Nan Khin", "#1 Traders", "Noné", "#N/A Ltd"]) {
    expect(checkOne({ ...INR, account_name })).toEqual([]);
  }
  expect(checkOne({ ...INR, bank_name: "None Bank", reference: "N/A" })).toEqual([]);
});

test.each(["IDR", "MYR", "MMK", "TRY", "PHP"])(
  "F95 %s: detects shifted columns by an account without digits or a spreadsheet date",
  (currency_code) => {
    const row = { ...INR, currency_code, ifsc_code: "", transaction_amount: "100" };
    const codes = (bank_account_number: string) => checkOne({ ...row, bank_account_number });
    for (const account of ["Budi", "Siti", "TBD", "-"]) {
      expect(codes(account)).toContain("account_without_digits");
    }
    for (const account of ["5-Jan", "Jan-05", "05-Jan-26", "2026-01-05"]) {
      expect(codes(account)).toContain("turned_into_date");
    }
  },
);

test.each(["user_id", "account_name", "bank_name", "callback_url"] as const)(
  "F80 reports U+FFFD in %s as a lost letter",
  (column) => {
    const value = column === "callback_url" ? "https://example.com/\ufffd" : "Asha \ufffd";
    expect(checkOne({ ...INR, [column]: value })).toEqual(["lost_character"]);
    expect(checkOne({ ...INR, reference: value })).toEqual([]);
  },
);

test("allows lost letters in a note, but refuses a note without any other character", () => {
  expect(checkOne({ ...INR, reference: "Caf\ufffd" })).toEqual([]);
  expect(checkOne({ ...INR, reference: " \ufffd " })).toEqual(["lost_character"]);
});

test.each(["null", "NULL", "#N/A", "\ufffd"])(
  "reports %s once per cell, without a bank-code problem as well",
  (word) => {
    const brl = { ...INR, currency_code: "BRL", ifsc_code: "", bank_account_number: "52998224725" };
    for (const bank_code of ["CPF", "EMAIL", "EVP"]) {
      expect(checkOne({ ...brl, bank_code, bank_name: word })).toHaveLength(1);
    }
    expect(checkOne({ ...brl, bank_code: word, bank_name: "a@b.example" })).toHaveLength(1);
    expect(checkOne({ ...INR, bank_code: word })).toHaveLength(1);
    expect(
      checkOne({ ...INR, currency_code: "IDR", bank_code: "OVO", bank_account_number: word }),
    ).not.toContain("maybe_lost_zero");
  },
);
