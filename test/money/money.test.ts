import { describe, expect, test } from "vitest";
import { CURRENCIES, CURRENCY_CODE, unitOf } from "#money/currency.ts";
import { amountOf, formatMoney, gatewayAmount } from "#money/format.ts";
import { add, exactTotal, type Money, parseDecimal, sumByCurrency } from "#money/money.ts";
import { AMOUNT_STYLE_NAMES, AMOUNT_STYLES, looksLikeDate, parseMoney } from "#money/parse.ts";

const unit = (currency: string) => {
  const found = unitOf(currency);
  if (!found) throw new Error(`no ${currency} in the table`);
  return found;
};
const INR = unit("INR");

test("adds amounts of different decimals exactly, in the most decimals among them", () => {
  const money = (minor: bigint, minorDigits: number): Money => ({
    currency: "INR",
    minor,
    minorDigits,
  });
  expect(exactTotal([])).toBeNull();
  expect(exactTotal([money(150n, 2)])).toEqual(money(150n, 2));
  expect(exactTotal([money(150n, 2), money(125n, 3), money(7n, 0)])).toEqual(money(8_625n, 3));
  expect(exactTotal([money(1n, 8), money(10n ** 20n, 2)])).toEqual(money(10n ** 26n + 1n, 8));
});

test.each([
  ["INR", true],
  ["USDT-TRC20", true],
  ["A".repeat(40), true],
  ["A".repeat(41), false],
  ["", false],
  ["inr", false],
  ["INR ", false],
  ["$INR", false],
])("treats %s as written like a currency code: %s", (code, isOne) => {
  expect(CURRENCY_CODE.test(code)).toBe(isOne);
});

describe("decimals of the currency", () => {
  /**
   * Currencies whose smallest unit is not used: Unicode gives the number of decimals in prices, ISO
   * 4217 in accounts.
   */
  const WRITTEN_WITHOUT = ["IDR", "MMK"];
  /** docs/reference/gateway.md section 11. */
  const WHOLE_AT_THE_GATEWAY = ["IDR", "JPY", "KRW", "MMK", "VND"];

  test.each(Object.keys(CURRENCIES))("%s has those of ISO 4217, or none at the gateway", (code) => {
    const written = new Intl.NumberFormat("en", { style: "currency", currency: code });
    const minorDigits = WRITTEN_WITHOUT.includes(code)
      ? 2
      : written.resolvedOptions().maximumFractionDigits;
    const gatewayDigits = WHOLE_AT_THE_GATEWAY.includes(code) ? 0 : minorDigits;
    expect(unitOf(code)).toEqual({ currency: code, minorDigits, gatewayDigits });
  });
});

test.each(AMOUNT_STYLE_NAMES)("reads the example amount in the style %s", (style) => {
  const minor = style === "1,25,000.50" ? 12_500_050n : 123_456n;
  expect(parseMoney(AMOUNT_STYLES[style].example, INR, style)).toMatchObject({ value: { minor } });
});

test.each([
  ["INR", 10_000n, "100.00"],
  ["INR", 5n, "0.05"],
  ["IDR", 100_000n, "1000"],
  ["MMK", 4_500_000n, "45000"],
  ["JPY", 7n, "7"],
])("writes %s %d for the gateway as %s", (currency, minor, text) => {
  expect(gatewayAmount({ currency, minor, minorDigits: unit(currency).minorDigits })).toBe(text);
});

test("throws for an amount that would lose digits", () => {
  expect(() => gatewayAmount({ currency: "IDR", minor: 100_050n, minorDigits: 2 })).toThrow(
    "decimals",
  );
});

test("keeps the decimals of a crypto currency", () => {
  expect(gatewayAmount({ currency: "USDT", minor: 1_500_000n, minorDigits: 6 })).toBe("1.500000");
});

describe("F88 F91 F92 an invalid amount is refused with its reason", () => {
  test.each([
    ["", "amount_missing"],
    ["0", "amount_zero"],
    ["0.00", "amount_zero"],
    ["-5", "amount_negative"],
    ["5-", "amount_negative"],
    ["\u22125", "amount_negative"],
    ["(12)", "amount_negative"],
    ["1500/-", "amount_trailing_signs"],
    ["Rs. 1500/-", "amount_trailing_signs"],
    ["1,500.00 / =", "amount_trailing_signs"],
    ["1.500,-", "amount_trailing_signs"],
    ["1500.--", "amount_trailing_signs"],
    ["1500/- x", "amount_not_a_number"],
    ["1500/", "amount_not_a_number"],
    ["x/-", "amount_not_a_number"],
    [".5", "amount_not_a_number"],
    ["+1500", "amount_not_a_number"],
    ["1.005", "amount_too_many_decimals"],
    ["1,234.56", "amount_separators"],
    ["1.234,56", "amount_separators"],
    ["1 234", "amount_separators"],
    ["1'234", "amount_separators"],
    ["1,00,000", "amount_groups_of_two"],
    ["12,34,567.89", "amount_groups_of_two"],
    ["1,23,45,678", "amount_groups_of_two"],
    ["1.00.000,00", "amount_groups_of_two"],
    ["1'00'000", "amount_groups_of_two"],
    ["1.00.000.00", "amount_separators"],
    ["1.00,000", "amount_separators"],
    ["12,34,567,000", "amount_separators"],
    ["1,00,00", "amount_separators"],
    ["100,00,000", "amount_separators"],
    ["1.23E+11", "amount_scientific"],
    ["1e5", "amount_scientific"],
    ["٣٤", "amount_foreign_digits"],
    ["１２", "amount_foreign_digits"],
    ["2026-01-05", "amount_is_a_date"],
    ["05/01/2026", "amount_is_a_date"],
    ["Jan-05", "amount_is_a_date"],
    ["₹100", "amount_with_currency"],
    ["100 INR", "amount_with_currency"],
    ["007", "amount_leading_zeros"],
    ["12.", "amount_not_a_number"],
    [".5", "amount_not_a_number"],
    ["+5", "amount_not_a_number"],
    ["0x10", "amount_not_a_number"],
    ["Infinity", "amount_not_a_number"],
    ["NaN", "amount_not_a_number"],
    ["1234567890123456", "amount_too_long"],
    ["+1e5", "amount_scientific"],
    ["-1.5e-3", "amount_scientific"],
    ["123,4E+11", "amount_scientific"],
    ["1e5x", "amount_not_a_number"],
    ["x1e5", "amount_with_currency"],
    ["1.2.300", "amount_separators"],
    ["1-2", "amount_not_a_number"],
    ["-", "amount_not_a_number"],
    ["()", "amount_not_a_number"],
    ["5)", "amount_negative"],
    ["\u20135", "amount_negative"],
    ["INR5", "amount_with_currency"],
    ["Rs. 5", "amount_with_currency"],
    ["100INR", "amount_with_currency"],
    ["100  INR ", "amount_with_currency"],
    ["5 €", "amount_with_currency"],
    ["ABCD5", "amount_not_a_number"],
    ["R$ 1500", "amount_with_currency"],
    ["R$1.500,00", "amount_with_currency"],
    ["1.500.000đ", "amount_with_currency"],
    ["1500元", "amount_with_currency"],
    ["1,500円", "amount_with_currency"],
    ["1500 원", "amount_with_currency"],
    ["1.5万", "amount_not_a_number"],
    ["15k", "amount_not_a_number"],
    ["5 A", "amount_not_a_number"],
    ["5 INRX", "amount_not_a_number"],
    ["5x INR", "amount_not_a_number"],
    ["INR", "amount_not_a_number"],
    ["000", "amount_zero"],
    ["0,000", "amount_zero"],
    ["0.", "amount_zero"],
    ["007.55", "amount_leading_zeros"],
    ["007.5x", "amount_not_a_number"],
    ["0075x", "amount_not_a_number"],
    ["00.7", "amount_leading_zeros"],
    ["1.2.3", "amount_separators"],
  ])("%j: %s", (text, reason) => {
    expect(parseMoney(text, INR)).toEqual({ ok: false, error: reason });
  });

  test("with more than fifteen digits before the point", () => {
    expect(parseMoney("999999999999999.99", INR)).toMatchObject({
      value: { minor: 99_999_999_999_999_999n },
    });
  });

  test("with decimals that the currency has but the gateway does not pay", () => {
    expect(parseMoney("1000.50", unit("IDR"))).toEqual({
      ok: false,
      error: "amount_decimals_not_payable",
    });
    expect(parseMoney("1000.00", unit("IDR"))).toMatchObject({
      ok: true,
      value: { minor: 100_000n },
    });
    expect(parseMoney("1000.0", unit("JPY"))).toEqual({
      ok: false,
      error: "amount_too_many_decimals",
    });
  });

  test.each([
    ["1,234.56", "12,34.56"],
    ["1,234.56", "1,00,00.00"],
    ["1,234.56", "1234,567.00"],
    ["1,234.56", "1,234,56"],
    ["1.234,56", "1,234.56"],
    ["1 234,56", "1 23,45"],
    ["1,234.56", "1,2345"],
    ["1,234.56", "12,345,6789.00"],
    ["1'234.56", "1'234\u2019567"],
    ["1.234,56", "1,5,6"],
  ] as const)("with groups other than three digits, in the style %s: %s", (style, text) => {
    expect(parseMoney(text, INR, style)).toEqual({ ok: false, error: "amount_separators" });
  });
});

test.each([
  ["1,234.56", "123,456.78", 12_345_678n],
  ["1,234.56", "1234567.89", 123_456_789n],
  ["1,234.56", "12", 1_200n],
  ["1.234,56", "1.234.567,89", 123_456_789n],
  ["1 234,56", "1\u202f234,5", 123_450n],
  ["1'234.56", "1\u2019234\u2019567.00", 123_456_700n],
  ["1,25,000.50", "12,34,567.89", 123_456_789n],
  ["1,25,000.50", "18,400", 1_840_000n],
  ["1,25,000.50", "999", 99_900n],
] as const)("reads, in the style %s, %s as an amount", (style, text, minor) => {
  expect(parseMoney(text, INR, style)).toMatchObject({ ok: true, value: { minor } });
});

test.each([
  ["1.234,56", "007,5", "amount_leading_zeros"],
  ["1,234.56", "0,123.5", "amount_leading_zeros"],
  ["1.234,56", "x", "amount_not_a_number"],
  ["1,234.56", "1,00,000.00", "amount_groups_of_two"],
  ["1,25,000.50", "125,000.50", "amount_separators"],
  ["1,25,000.50", "1,234,567", "amount_separators"],
  ["1,25,000.50", "12,34", "amount_separators"],
] as const)("refuses, in the style %s, %s: %s", (style, text, reason) => {
  expect(parseMoney(text, INR, style)).toEqual({ ok: false, error: reason });
});

test.each([
  ["2026-01-05 12:00", true],
  ["2026-1-5T00:00", true],
  ["2026-01-05x", false],
  ["x2026-01-05", false],
  ["05.01.26", true],
  ["5/1/2026 10:00", true],
  ["5/1/026", false],
  ["05.01.26x", false],
  ["jan 2026", true],
  ["5 Dec 26", true],
  ["5-Dec-2026x", false],
  ["55-1-2026", false],
  ["5-1-2026", true],
  ["31-12-2026 10:00", true],
  ["5-1-26", false],
  ["5-1-2226", false],
  ["1234-56-78", false],
  ["2026-13-05", false],
  ["2026-12-32", false],
  [`2026-01-05 ${"0".repeat(29)}`, true],
  [`2026-01-05 ${"0".repeat(30)}`, false],
])("treats %j as looking like a date: %s", (text, isDate) => {
  expect(looksLikeDate(text)).toBe(isDate);
});

test("formats an amount with its own decimals, whatever its currency has now, and zero as 0", () => {
  expect(gatewayAmount({ currency: "INR", minor: 5n, minorDigits: 0 })).toBe("5");
  const nothing = { currency: "INR", minor: 0n, minorDigits: 2 };
  expect(amountOf(nothing)).toEqual({ currency: "INR", amount: "0.00" });
  expect(formatMoney({ currency: "INR", minor: -5n, minorDigits: 2 })).toBe("-0.05");
});

test("F93 F94 adds totals exactly, beyond the precision of a float", () => {
  const amount: Money = { currency: "INR", minor: 9_007_199_254_740_993n, minorDigits: 2 };
  const yen: Money = { currency: "JPY", minor: 1n, minorDigits: 0 };
  const totals = sumByCurrency([amount, yen, amount]);
  expect([...totals.values()].map(formatMoney)).toEqual(["180143985094819.86", "1"]);
  expect(() => add(amount, yen)).toThrow("cannot add");
  expect(() => add(amount, { ...amount, currency: "THB" })).toThrow("cannot add THB/2 to INR/2");
  expect(() => add(amount, { ...amount, minorDigits: 3 })).toThrow("cannot add INR/3 to INR/2");
});

describe("a decimal from outside", () => {
  test.each([
    ["150.5", 2, 15_050n, 2],
    ["0150.500", 2, 15_050n, 2],
    ["150", 2, 15_000n, 2],
    ["150.00", 0, 150n, 0],
    ["150.505", 2, 150_505n, 3],
    ["90071992547409.93", 2, 9_007_199_254_740_993n, 2],
  ])("reads %j with %i decimals", (text, digits, minor, minorDigits) => {
    expect(parseDecimal(text, digits)).toEqual({ minor, minorDigits });
  });

  test.each(["", ".5", "5.", "-5", "+5", "1e3", "1,5", " 5", "5\n", "\u0665", "NaN"])(
    "refuses %j",
    (text) => {
      expect(parseDecimal(text, 2)).toBeNull();
    },
  );
});
