import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CURRENCIES } from "#money/currency.ts";
import { formatDoubt, FORMATS, formatFault } from "#payout/rules/formats.ts";
import { hasMixedScripts } from "#payout/rules/names.ts";
import { CRYPTO_FIELDS, LIMITS, RULES } from "#payout/rules/currency-rules.ts";

/**
 * The specification's payout table in its own words: each field with the currencies that require
 * it.
 */
const SPECIFICATION = {
  bank_account_number: "INR CNY VND THB KRW BDT JPY BRL",
  ifsc_code: "INR",
  bank_code: "INR CNY VND THB BDT IDR MYR KRW JPY BRL PHP",
  bank_name: "INR CNY VND THB BDT IDR MYR KRW JPY BRL PHP",
  branch_code: "JPY",
  phone_number: "BDT",
  user_id: Object.keys(CURRENCIES).join(" "),
  account_name: Object.keys(CURRENCIES).join(" "),
  address: "",
} as const;

test.each(Object.entries(SPECIFICATION))(
  "requires %s exactly where the specification says",
  (field, currencies) => {
    const required = Object.entries(RULES)
      .filter(([, fields]) => fields[field as keyof typeof SPECIFICATION]?.need === "required")
      .map(([currency]) => currency);
    expect(required.toSorted()).toEqual(currencies.split(" ").filter(Boolean).toSorted());
  },
);

test("has rules for every currency, and requires the address for crypto", () => {
  expect(Object.keys(RULES).toSorted()).toEqual(Object.keys(CURRENCIES).toSorted());
  expect(CRYPTO_FIELDS.address?.need).toBe("required");
});

test.each(["IDR", "MYR", "PHP"] as const)(
  "warns about %s without an account number",
  (currency) => {
    expect(RULES[currency].bank_account_number?.need).toBe("wanted");
  },
);

test.each([
  ["ifsc", "HDFC0000001", null],
  ["ifsc", "HDFC0CAACOB", null],
  ["ifsc", "HDFCO000001", "bad_ifsc"],
  ["ifsc", "hdfc0000001", "ifsc_misspelt"],
  ["ifsc", "12323", "bad_ifsc"],
  ["phone", "01812345678", null],
  ["phone", "1812345678", "lost_leading_zeros"],
  ["phone", "8801812345678", "bad_phone_number"],
  ["phone", "٠١٨١٢٣٤٥٦٧٨", "foreign_digits"],
  ["zengin_bank", "0001", null],
  ["zengin_bank", "1", "lost_leading_zeros"],
  ["zengin_bank", "1.0", "trailing_point_zero"],
  ["zengin_branch", "015", null],
  ["zengin_branch", "15", "lost_leading_zeros"],
  ["napas_bin", "970436", null],
  ["napas_bin", "97043", "bad_bank_code"],
  ["cpf", "12345678062", null],
  ["cpf", "1234567032", "lost_leading_zeros"],
  ["digits", "1.23457E+15", "scientific_notation"],
  ["digits", "1,23E+11", "scientific_notation"],
  ["account", "1E10", "scientific_notation"],
  ["digits", "2026-01-05", "turned_into_date"],
  ["digits", "Jan-05", "turned_into_date"],
  ["digits", "12345.0", "trailing_point_zero"],
  ["digits", "'12345", "text_marker"],
  ["digits", '="00123"', "text_marker"],
  ["digits", "12 34", "bad_account_number"],
  ["user_id", "1.23457E+15", "scientific_notation"],
  ["user_id", "user 7", null],
] as const)("%s %j: %s", (format, text, fault) => {
  expect(formatFault(format, text)).toBe(fault);
});

test.each([
  ["cpf", "12345678062", null],
  ["cpf", "12345678063", "id_check_digits"],
  ["digits", "501000123456789000", "digits_lost"],
  ["digits", "501000123456789001", null],
  ["bd_account", "1812345678", "maybe_lost_zero"],
  ["jp_account", "12345", "maybe_lost_zero"],
  ["jp_account", "1234567", null],
] as const)("warns about %s %j: %s", (format, text, doubt) => {
  expect(formatFault(format, text)).toBeNull();
  expect(formatDoubt(format, text)).toBe(doubt);
});

test("anchors a pattern at both ends, so nothing hides after a valid value", () => {
  for (const { pattern } of Object.values(FORMATS)) expect(pattern.source).toMatch(/^\^.*\$$/);
});

test.each([
  ["Asha Verma", false],
  ["João Araújo", false],
  ["O'Neil-Smith Jr.", false],
  ["山田 タロウ さん", false],
  ["サトー", false],
  ["김 金", false],
  ["สมชาย ใจดี", false],
  ["\u0410sha", true],
  ["Pаypal", true],
  ["Ωmega Ltd", true],
  ["王 David", false],
])("F89 finds mixed scripts in %s: %s", (name, mixed) => {
  expect(hasMixedScripts(name)).toBe(mixed);
});

test("lists exactly the limits in docs/operate/largest-amounts.md", () => {
  const page = readFileSync(
    join(import.meta.dirname, "../../../docs/operate/largest-amounts.md"),
    "utf8",
  );
  const told = [...page.matchAll(/^- ([A-Z]+): ([\d,]+)$/gm)].map(([, currency, amount = ""]) => [
    currency,
    BigInt(amount.replaceAll(",", "")),
  ]);
  expect(Object.fromEntries(told)).toEqual(LIMITS);
});
