import { describe, expect, test } from "vitest";
import { type Currency, isCurrency } from "#money/currency.ts";
import { FORMATS, formatFault, type FormatName } from "#payout/rules/formats.ts";
import type { DetailField } from "#payout/payout.ts";
import {
  COMMON_FIELDS,
  CRYPTO_FIELDS,
  type FieldKind,
  RULES,
} from "#payout/rules/currency-rules.ts";

type Values = readonly [right: string, wrong: string];

/** Valid codes of each currency, and codes just outside the rule (gateway.md section 11). */
// biome-ignore format: the columns are the point
const CODES: Readonly<Record<Currency, Readonly<Partial<Record<DetailField, Values>>>>> = {
  BDT: { bank_account_number: ["0181", "A181"], bank_code: ["2001", "2/1"], phone_number: ["01812345678", "8801812345678"] },
  BRL: { bank_account_number: ["12345678062", "123.456.780-62"], bank_code: ["PIX", "P/X"] },
  CNY: { bank_account_number: ["6222020000000000", "62-22"], bank_code: ["ICBC", ""] },
  IDR: { bank_account_number: ["ID-1", "ID 1"], bank_code: ["MANDIRI", "a  b"] },
  INR: { bank_account_number: ["50100012345678", "AB12"], bank_code: ["HDFC", "?"], ifsc_code: ["HDFC0000001", "HDFCO000001"] },
  JPY: { bank_account_number: ["1234567", "12345678901"], bank_code: ["0001", "ABCD"], branch_code: ["015", "0015"] },
  KRW: { bank_account_number: ["12345678", "KR12345"], bank_code: ["kookmin_kr", "$"] },
  MMK: { bank_account_number: ["AB-1", "_AB"], bank_code: ["KBZ", "K+Z"] },
  MYR: { bank_account_number: ["AB-1", "_AB"], bank_code: ["MBB", "M;B"] },
  PHP: { bank_account_number: ["AB-1", "_AB"], bank_code: ["gcash", "g=h"] },
  THB: { bank_account_number: ["1234567890", "TH12"], bank_code: ["4", " 4"] },
  TRY: { bank_account_number: ["TR330006100519786457841326", "TR 33"], bank_code: ["X", "X/Y"] },
  VND: { bank_account_number: ["1234567890", "VN12"], bank_code: ["970436", "VCB"] },
};

const fitsForm = (kind: FieldKind | undefined, text: string): boolean =>
  kind !== undefined &&
  Object.hasOwn(FORMATS, kind) &&
  formatFault(kind as FormatName, text) === null;

describe.each(Object.entries(CODES))("%s", (currency, codes) => {
  const rules = isCurrency(currency) ? RULES[currency] : {};

  test.each(Object.entries(codes))("accepts for %s %j", (field, [right, wrong]) => {
    const kind = rules[field as DetailField]?.kind;
    expect([kind, fitsForm(kind, right), fitsForm(kind, wrong)]).toEqual([kind, true, false]);
  });

  test("has only these fields besides names and the user", () => {
    const others = Object.entries(rules).filter(([field]) => !Object.hasOwn(codes, field));
    expect(others.map(([field, { kind }]) => [field, kind])).toEqual([
      ["user_id", "user_id"],
      ["account_name", "name"],
      ["bank_name", "name"],
    ]);
  });
});

test("doubts lost zeros only in countries whose numbers start with one", () => {
  const odd = Object.entries(RULES).flatMap(([currency, { bank_account_number: rule }]) =>
    rule && /^(?:bd|ph|jp)_/.test(rule.kind) ? [`${currency} ${rule.kind}`] : [],
  );
  expect(odd).toEqual(["BDT bd_account", "JPY jp_account", "PHP ph_account"]);
});

test("allows TRY and MMK without bank and account, with a warning only for the account", () => {
  for (const currency of ["TRY", "MMK"] as const) {
    const { bank_account_number, bank_code, bank_name } = RULES[currency];
    expect([bank_account_number?.need, bank_code?.need, bank_name?.need]).toEqual([
      "wanted",
      "optional",
      "optional",
    ]);
  }
});

test("requires for a crypto payout a wallet in addition to the common fields", () => {
  expect(COMMON_FIELDS).toEqual({
    user_id: { need: "required", kind: "user_id" },
    account_name: { need: "required", kind: "name" },
  });
  expect(CRYPTO_FIELDS).toEqual({
    ...COMMON_FIELDS,
    address: { need: "required", kind: "wallet" },
  });
});
