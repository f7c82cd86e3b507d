import { describe, expect, test } from "vitest";

import {
  addAmounts,
  formatAmount,
  formatAmountsIn,
  formatMoney,
  readAmount,
  sameAmount,
  splitAmount,
} from "../../../dashboard/src/base/money.ts";

describe("an amount on a screen", () => {
  test("keeps every digit, even beyond the precision of a float", () => {
    expect(formatAmount("9007199254740993.17", null, "en")).toBe("9,007,199,254,740,993.17");
    expect(formatAmount("0.10", "USD", "en")).toBe("0.10");
    expect(formatAmount("1234567", "KRW", "en")).toBe("1,234,567");
    expect(formatAmount("-12.000001", null, "en")).toBe("-12.000001");
  });

  test("is formatted for the reader's locale, after its code", () => {
    expect(formatMoney({ currency: "INR", amount: "12345678.90" }, "en-IN")).toBe(
      "INR 1,23,45,678.90",
    );
    expect(formatMoney({ currency: "VND", amount: "1500000" }, "de")).toBe("VND 1.500.000");
    expect(formatMoney({ currency: "INR", amount: "-75.05" }, "en-IN")).toBe("−INR 75.05");
    expect(formatAmountsIn("changed by -75.05 INR", "en-IN")).toBe("changed by −INR 75.05");
    expect(formatAmountsIn("Details: the gateway reports INR 30807.04", "en-IN")).toBe(
      "Details: the gateway reports INR 30,807.04",
    );
    expect(formatAmountsIn("HTTP 500: Server Error", "en-IN")).toBe("HTTP 500: Server Error");
  });

  test("has Indian grouping only in INR, and only with the separators of the reader's locale", () => {
    expect(formatAmount("123456789.00", "INR", "en-GB")).toBe("12,34,56,789.00");
    expect(formatAmount("123456789.00", "BDT", "en-GB")).toBe("123,456,789.00");
    expect(formatAmount("123456789.00", "INR", "de")).toBe("123.456.789,00");
    expect(readAmount(formatAmount("123456789.00", "INR", "en"), "INR").amount).toBe(
      "123456789.00",
    );
  });

  test("has decimals that are all zero as a part of their own, which is never left out", () => {
    const parts = (amount: string, currency: string, locale: string) =>
      Object.values(splitAmount(amount, currency, locale));
    expect(parts("1234567.00", "INR", "en-GB")).toEqual(["12,34,567", ".00"]);
    expect(parts("1234567.00", "BRL", "de")).toEqual(["1.234.567", ",00"]);
    expect(parts("0.00", "INR", "en")).toEqual(["0", ".00"]);
    expect(parts("-5.00", "INR", "en")).toEqual(["-5", ".00"]);
    expect(parts("100.50", "INR", "en")).toEqual(["100.50", ""]);
    expect(parts("1500", "JPY", "en")).toEqual(["1,500", ""]);
    for (const locale of ["en", "hi", "bn", "fr", "ar-EG", "ff-Adlm"]) {
      expect(parts("1234567.00", "THB", locale).join("")).toBe(
        formatAmount("1234567.00", "THB", locale),
      );
    }
    expect(parts("7.00", "BDT", "ff-Adlm")[0]).toBe(formatAmount("7", "BDT", "ff-Adlm"));
  });

  test("is shown unchanged when it is not an amount", () => {
    expect(formatAmount("1e5", null, "en")).toBe("1e5");
  });
});

describe("sums", () => {
  test("are exact", () => {
    expect(addAmounts(["0.1", "0.2"])).toBe("0.3");
    expect(addAmounts(["9007199254740993", "0.01", "-0.02"])).toBe("9007199254740992.99");
    expect(addAmounts(["0.05", "-0.10"])).toBe("-0.05");
    expect(addAmounts([])).toBe("0");
  });

  test("are compared by value, not by text", () => {
    expect(sameAmount("1.50", "1.5")).toBe(true);
    expect(sameAmount("9007199254740993", "9007199254740992")).toBe(false);
  });
});

const typed = (text: string) => readAmount(text, "INR").amount;
const told = (text: string) => readAmount(text, "INR").refusal;

describe("a typed amount", () => {
  test.each([
    ["37.50", "37.50"],
    ["3750", "3750"],
    [" 0.5 ", "0.5"],
    ["1,234.56", "1234.56"],
    ["1 234.56", "1234.56"],
    ["1\u00a0234.56", "1234.56"],
    ["12\u202f345\u202f678.90", "12345678.90"],
    ["1'234.56", "1234.56"],
    ["1’234’567", "1234567"],
    ["12,34,567.89", "1234567.89"],
    ["1,00,000", "100000"],
    ["9,007,199,254,740,993.17", "9007199254740993.17"],
    ["INR 37.50", "37.50"],
    ["inr37.50", "37.50"],
    ["1,234.50 INR", "1234.50"],
  ])("reads %j as %s", (text, amount) => {
    expect(typed(text)).toBe(amount);
  });

  test.each([
    ["37,50", "Enter 37.50, with a decimal point."],
    ["37,5", "Enter 37.5, with a decimal point."],
    ["1.234,56", "Enter 1234.56, with a decimal point."],
    ["1 234,56", "Enter 1234.56, with a decimal point."],
  ])("refuses %j with a decimal comma and explains the format", (text, sentence) => {
    expect([typed(text), told(text)]).toEqual([null, sentence]);
  });

  test.each([
    ["37 50"],
    ["3,7"],
    ["12,34"],
    ["1,2345"],
    ["1,234 567"],
    ["1,234,56"],
    ["12,345,67,890"],
    ["0,123"],
    ["1,234."],
    [".50"],
    ["1.2.3"],
    ["1.234.567"],
    ["1e3"],
    ["-5"],
    [",500"],
    ["1'23'456"],
    [" "],
  ])("refuses %j, whose separator groups nothing", (text) => {
    expect(typed(text)).toBeNull();
    expect(told(text)).toMatch(/^Enter /);
  });

  test.each([
    ["٣٧٫٥٠", "Enter the amount using the digits 0–9, such as 37.50."],
    ["३७.५०", "Enter the amount using the digits 0–9, such as 37.50."],
    ["USD 37.50", "Enter only the amount in INR, such as 37.50."],
    ["₹37.50", "Enter only the amount in INR, such as 37.50."],
  ])("refuses %j with a message", (text, sentence) => {
    expect([typed(text), told(text)]).toEqual([null, sentence]);
  });
});
