import { expect, test } from "vitest";
import { assertTotals, normalizedTotal, readTotals } from "#cli/terminal/totals.ts";

test.each([
  ["inr=20", "INR=20"],
  [" Inr=1234.50 ", "INR=1234.50"],
  ["usdt-trc20=0.000001", "USDT-TRC20=0.000001"],
  ["INR=20", "INR=20"],
  ["inr", "INR"],
])("reads the currency of %j in upper case", (given, total) => {
  expect(normalizedTotal(given)).toBe(total);
});

test("accepts a total in lower case, once", () => {
  const inr = { currency: "INR", minor: 2_000n, minorDigits: 2 };
  expect(readTotals(["inr=20"], new Map([["INR", inr]]))).toEqual(new Map([["INR", inr]]));
  expect(() => assertTotals(["inr=20", "INR=20"])).toThrow("--total specifies INR twice");
  expect(() => assertTotals(["inr 20"])).toThrow("--total inr 20: expected CUR=AMOUNT");
});
