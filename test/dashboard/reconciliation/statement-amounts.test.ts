import { expect, test } from "vitest";
import {
  refusalOf,
  statementAmounts,
} from "../../../dashboard/src/pages/reconciliation/upload/statement-amounts.ts";

const NONE = { opening: "", closing: "", deposits: "", lines: "", total: "" };

test("reads balances as a bank prints them, and takes missing deposits as 0", () => {
  const typed = { ...NONE, opening: " 1,000,000,000.00 ", closing: "-1,25,000.50", lines: "1,200" };
  expect(statementAmounts(typed, "INR")).toEqual({
    opening: "1000000000.00",
    closing: "-125000.50",
    deposits: "0",
    lines: "1200",
  });
});

test("sends no deposits without balances, and keeps those that were typed", () => {
  expect(statementAmounts({ ...NONE, total: "5" }, "INR")).toEqual({ total: "5" });
  const typed = { ...NONE, opening: "1", closing: "2", deposits: "3.00" };
  expect(statementAmounts(typed, "INR").deposits).toBe("3.00");
});

test("says what is wrong with a number only if one was typed", () => {
  expect(refusalOf("", "INR")).toBeNull();
  expect(refusalOf("−12.50", "INR")).toBeNull();
  expect(refusalOf("twelve", "INR")).not.toBeNull();
  expect(statementAmounts({ ...NONE, total: "twelve" }, "INR")).toEqual({ total: "twelve" });
});
