import { expect, test } from "vitest";
import {
  differenceOf,
  sideOf,
  sidesOf,
  sizeOfDifferences,
} from "../../dashboard/src/pages/reconciliation/break-amounts.ts";

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

const MOVEMENT =
  "the balance changed by -12835529.15 INR; deposits and lines explain -235776.66 INR";

test("shows a movement of the balance as its change, the explained part and the difference", () => {
  expect(differs(null, MOVEMENT)).toEqual({ currency: "INR", amount: "-12599752.49" });
  expect(sidesOf({ ledger_shows: null, statement_shows: MOVEMENT })).toEqual({
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

test("shows the difference of a closing balance", () => {
  const statement = "closing balance 90.00 INR, difference -10.00 INR";
  expect(differs("closing balance 100.00 INR", statement)?.amount).toBe("-10.00");
  expect(sideOf(statement).rest).toBe("closing balance");
});

test("adds up differences without their signs", () => {
  expect(
    sizeOfDifferences([
      { ledger_shows: null, statement_shows: "completed, 1.00 INR, W1" },
      { ledger_shows: "settled, 75.05 INR, W1", statement_shows: null },
      { ledger_shows: "W1", statement_shows: "W2" },
    ]),
  ).toEqual([{ currency: "INR", amount: "76.05" }]);
});
