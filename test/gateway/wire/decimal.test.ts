import { expect, test } from "vitest";
import { isSameDecimal, plainDecimal } from "#gateway/wire/decimal.ts";

test.each([
  ["15000000", "15000000"],
  ["0150.500", "0150.500"],
  [" 1542.50\n", "1542.50"],
  ["-12.5", "-12.5"],
  ["1.5E7", "15000000"],
  ["1.5e+7", "15000000"],
  ["-1.5E7", "-15000000"],
  ["1E0", "1"],
  ["1e3", "1000"],
  ["1.23456789E7", "12345678.9"],
  ["1.2345678E7", "12345678"],
  ["123456.5E2", "12345650"],
  ["15E-1", "1.5"],
  ["15E-2", "0.15"],
  ["15E-4", "0.0015"],
  ["1.50E-1", "0.150"],
  ["0.15E2", "15"],
  ["0.0E0", "0.0"],
  ["0E7", "0"],
  ["9007199254740993.1E1", "90071992547409931"],
])("F121 reads %j as exactly %s", (written, plain) => {
  expect(plainDecimal(written)).toBe(plain);
});

test.each([
  "",
  " ",
  "1,538.50",
  "1 538.50",
  "1.538,50",
  "1'538",
  ".5",
  "5.",
  "+5",
  "- 5",
  "x5",
  "5x",
  "1E",
  "E7",
  "1E1.5",
  "1E100",
  "0x10",
  "NaN",
  "Infinity",
  "INR 5",
])("refuses %j", (written) => {
  expect(plainDecimal(written)).toBeNull();
});

test.each([
  ["1542.5", "1542.50", true],
  ["1542", "1542.000", true],
  ["0", "0.00", true],
  ["01542.5", "1542.5", true],
  ["1000", "1000", true],
  ["1000", "100", false],
  ["10.05", "10.5", false],
  ["10.50", "10.05", false],
  ["1542.5", "1542.51", false],
  ["1,000.0", "1,000.0", true],
  ["1,000.0", "1,000.00", false],
])("compares %s and %s: equal is %s", (one, other, same) => {
  expect(isSameDecimal(one, other)).toBe(same);
  expect(isSameDecimal(other, one)).toBe(same);
});
