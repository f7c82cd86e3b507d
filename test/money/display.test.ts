import { expect, test } from "vitest";
import { groupAmountsIn, moneyText } from "#money/display.ts";

test("names the currency, and groups the digits as is usual there", () => {
  expect(moneyText({ currency: "INR", amount: "1234567.00" })).toBe("INR 12,34,567.00");
});

test.each([
  ["settled, 12500.00 INR, G123", "settled, 12,500.00 INR, G123"],
  ["1234567 KRW; -1000.5 THB", "1,234,567 KRW; -1,000.5 THB"],
  ["10000 USDTRC", "10,000 USDTRC"],
  // Codes, numbers of the gateway and other words keep their digits.
  ["PR12345 INR", "PR12345 INR"],
  ["12500.00 INRX1", "12500.00 INRX1"],
  ["12500 lines", "12500 lines"],
  ["12,500.00 INR", "12,500.00 INR"],
])("groups the amounts in the text %s", (text, shown) => {
  expect(groupAmountsIn(text)).toBe(shown);
});
