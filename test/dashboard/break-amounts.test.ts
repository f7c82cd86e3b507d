import { expect, test } from "vitest";
import { differenceOf, sideOf } from "../../dashboard/src/pages/reconciliation/break-amounts.ts";

const differs = (ledger: string | null, statement: string | null) =>
  differenceOf({ ledger_shows: ledger, statement_shows: statement });

test("separates the amount of a side from its other values", () => {
  expect(sideOf("settled, 48250.00 INR, WD1795")).toEqual({
    money: { amount: "48250.00", currency: "INR" },
    rest: "settled · WD1795",
  });
  expect(sideOf("0.75 INR").rest).toBe("");
  expect(sideOf("1.00 INR, 2.00 INR").money).toBeNull();
});

test("subtracts the ledger from the statement exactly", () => {
  expect(differs("61200.75 INR", "61200.76 INR")).toEqual({ currency: "INR", amount: "0.01" });
  expect(differs("9007199254740993.00 INR", "0.01 INR")?.amount).toBe("-9007199254740992.99");
  expect(differs("settled, 10.00 INR, W1", null)?.amount).toBe("-10.00");
  expect(differs(null, "completed, 10.00 INR, W1")?.amount).toBe("10.00");
});

test("has no difference for equal amounts, other currencies and other values", () => {
  expect(differs("settled, 5.00 INR, W1", "returned, 5.00 INR, W1")).toBeNull();
  expect(differs("5.00 USD", "6.00 EUR")).toBeNull();
  expect(differs("W1", "W2")).toBeNull();
  expect(differs("W1", "6.00 EUR")).toBeNull();
});
