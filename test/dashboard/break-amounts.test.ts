import { expect, test } from "vitest";
import {
  differenceOf,
  sideOf,
  sidesOf,
  sizesOf,
} from "../../dashboard/src/pages/reconciliation/break-amounts.ts";

test("separates the amount of a side from its other values", () => {
  expect(sideOf("settled, 48250.00 INR, WD1795")).toEqual({
    money: { amount: "48250.00", currency: "INR" },
    rest: "settled · WD1795",
  });
  expect(sideOf("0.75 INR").rest).toBe("");
  expect(sideOf("1.00 INR, 2.00 INR").money).toBeNull();
  const twice = "completed, 1.00 INR, W1; completed, 2.00 INR, W2";
  expect(sideOf(twice)).toEqual({ money: null, rest: twice });
});

test("shows a movement of the balance as its change and the explained part", () => {
  const statement =
    "the balance changed by -12835529.15 INR; deposits and lines explain -235776.66 INR";
  expect(sidesOf({ ledger_shows: null, statement_shows: statement })).toEqual({
    ledger: {
      money: { amount: "-235776.66", currency: "INR" },
      rest: "explained by deposits and lines",
    },
    statement: {
      money: { amount: "-12835529.15", currency: "INR" },
      rest: "change of the balance",
    },
  });
});

test("says that a failed transaction moved no money", () => {
  const differs = (amount: string | null) =>
    differenceOf({ difference: amount === null ? null : { currency: "INR", amount } });
  expect(differs("0.00")).toBe("No net difference");
  expect(differs("-0.10")).toEqual({ currency: "INR", amount: "-0.10" });
  expect(differs(null)).toBe("–");
});

test("names a closing balance", () => {
  expect(sideOf("closing balance 90.00 INR, difference -10.00 INR").rest).toBe("closing balance");
});

test("adds up payouts without their signs, and apart from the balance that they move", () => {
  const inr = (amount: string) => ({ currency: "INR", amount });
  expect(
    sizesOf([
      { class: "missing_in_ledger", difference: inr("1.00") },
      { class: "missing_at_gateway", difference: inr("-75.05") },
      { class: "gateway_number", difference: null },
      { class: "unexplained_movement", difference: inr("-12599752.49") },
    ]),
  ).toEqual({ payouts: [inr("76.05")], balances: [inr("12599752.49")] });
});
