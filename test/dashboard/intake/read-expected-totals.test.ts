import { describe, expect, test } from "vitest";
import {
  readExpectedRows,
  readExpectedSums,
} from "../../../dashboard/src/pages/intake/upload/details/read-expected-totals.ts";

describe("expected totals of a file", () => {
  test.each([
    ["", null],
    [" 3 ", 3],
    ["1,200", 1200],
  ])("reads %j rows as %s", (typed, value) => {
    expect(readExpectedRows(typed)).toEqual({ value, refusal: null });
  });

  test.each([["3 rows"], ["1,2"], ["1.5"], ["-3"]])("refuses %j as a number of rows", (typed) => {
    const refusal = "Enter a whole number, such as 1200.";
    expect(readExpectedRows(typed)).toEqual({ value: null, refusal });
  });

  test.each([
    ["", []],
    ["INR 1,234.50; thb=20;", ["INR=1234.50", "THB=20"]],
    ["usdt-trc20 5.25", ["USDT-TRC20=5.25"]],
    ["INR  1 00.5", null],
    ["INR 30,00", null],
    ["INR 1.50, THB 20", null],
    ["1234.50", null],
  ])("reads sums of %j", (typed, value) => {
    const read = readExpectedSums(typed);
    expect(read.value).toEqual(value ?? []);
    expect(read.refusal === null).toBe(value !== null);
  });

  test("shows a mistake next to the field", () => {
    expect(readExpectedSums("INR 30,00").refusal).toBe("Enter 30.00, with a decimal point.");
  });
});
