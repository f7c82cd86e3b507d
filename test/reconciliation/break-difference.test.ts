import { expect, test } from "vitest";
import { formatMoney } from "#money/format.ts";
import type { BreakClass } from "#reconciliation/break-classes.ts";
import { differenceOf, kindsOf } from "#reconciliation/break-difference.ts";

const differs = (
  ledgerShows: string | null,
  statementShows: string | null,
  kind: BreakClass = "status",
): string | null => {
  const found = differenceOf({ class: kind, ledgerShows, statementShows });
  return found && `${formatMoney(found)} ${found.currency}`;
};

test("subtracts the ledger from the statement exactly", () => {
  expect(differs("61200.75 INR", "61200.76 INR")).toBe("0.01 INR");
  expect(differs("9007199254740993.00 INR", "0.01 INR")).toBe("-9007199254740992.99 INR");
  expect(differs("settled, 10.00 INR, W1", null)).toBe("-10.00 INR");
  expect(differs(null, "completed, 10.00 INR, W1")).toBe("10.00 INR");
  expect(differs("1.5 USDT-TRC20", "1.125 USDT-TRC20")).toBe("-0.375 USDT-TRC20");
  expect(differs("5 JPY", "-5 JPY")).toBe("-10 JPY");
});

test("has no difference for equal amounts, other currencies and other values", () => {
  expect(differs("settled, 5.00 INR, W1", "completed, 5.000 INR, W2")).toBeNull();
  expect(differs("5.00 USD", "6.00 EUR")).toBeNull();
  expect(differs("W1", "W2")).toBeNull();
  expect(differs("W1", "6.00 EUR")).toBeNull();
  expect(differs("6.00 EUR", "completed, 1.00 EUR; completed, 2.00 EUR")).toBeNull();
  expect(differs("1.00 EUR, 2.00 EUR", null)).toBeNull();
  expect(differs(null, null)).toBeNull();
});

test("reads an amount only if it is a whole part of the text", () => {
  expect(differs("W1 5.00 INR", "6.00 EUR")).toBeNull();
  expect(differs("5.00 INR net", "6.00 EUR")).toBeNull();
  expect(differs("x5.00 INR", "6.00 INR")).toBeNull();
  expect(differs("5.00 INRx", "6.00 INR")).toBeNull();
  expect(differs("", null)).toBeNull();
  expect(differs("my closing balance 5.00 INR", "6.00 INR")).toBeNull();
});

test("counts a transaction that failed or came back as nothing", () => {
  expect(differs(null, "failed, 10.00 INR, W1", "missing_in_ledger")).toBe("0.00 INR");
  expect(differs(null, "failed, 10.00 INR, W1; failed, 10.00 INR, W2")).toBe("0.00 INR");
  expect(differs("settled, 10.00 INR, W1", "failed, 10.00 INR, W1")).toBe("-10.00 INR");
  expect(differs("settled, 10.00 INR, W1", "returned, 10.00 INR, W1")).toBe("-10.00 INR");
  const returned = "completed, 10.00 INR, W1; returned, 10.00 INR, W1";
  expect(differs("settled, 10.00 INR, W1", returned)).toBe("-10.00 INR");
  expect(differs("declined, 10.00 INR, W1", "completed, 10.00 INR, W1")).toBe("10.00 INR");
  expect(differs("declined, 10.00 INR, W1", "completed, 9.00 EUR, W1")).toBe("9.00 EUR");
  expect(differs(null, "completed, 10.00 INR, W1; failed, 10.00 INR, W2")).toBe("10.00 INR");
});

test("has no difference if the money of one side is not proven", () => {
  expect(differs("in_doubt, 10.00 INR, W1", "completed, 10.00 INR, W1")).toBeNull();
  expect(differs(null, "pending, 10.00 INR, W1", "missing_in_ledger")).toBeNull();
  // The order of two results of one transaction is unknown.
  expect(differs(null, "completed, 10.00 INR, W1; failed, 10.00 INR, W1")).toBeNull();
  expect(differs("resolved, 10.00 INR, W1", "completed, 10.00 INR, W1")).toBeNull();
  expect(differs("resolved, 10.00 INR, W1", null, "missing_at_gateway")).toBe("-10.00 INR");
  expect(differs("settled, 10.00 INR, W1", "completed, 10.00 INR, W1", "listed_twice")).toBeNull();
});

test("counts two amounts only where the results do not already differ", () => {
  expect(differs("declined, 10.00 INR", "failed, 11.00 INR", "amount")).toBe("0.00 INR");
  expect(differs("settled, 10.00 INR", "failed, 11.00 INR", "amount")).toBeNull();
  expect(differs("declined, 10.00 INR", "completed, 11.00 INR", "amount")).toBeNull();
});

const MOVEMENT =
  "the balance changed by -12835529.15 INR; deposits and lines explain -235776.66 INR";

test("reads the difference of a balance", () => {
  expect(differs(null, MOVEMENT)).toBe("-12599752.49 INR");
  expect(differs(null, `Today ${MOVEMENT}`)).toBeNull();
  expect(differs(null, `${MOVEMENT} so far`)).toBeNull();
  const statement = "closing balance 90.00 INR, difference -10.00 INR";
  expect(differs("closing balance 100.00 INR", statement)).toBe("-10.00 INR");
  expect(differs("closing balance 100.00 INR", "closing balance 90.00 INR")).toBe("-10.00 INR");
});

test("adds up each class by itself, by currency", () => {
  const missing = { class: "missing_at_gateway" as const, statementShows: null };
  const kinds = kindsOf([
    { ...missing, ledgerShows: "settled, 75.05 INR, W1" },
    { ...missing, ledgerShows: "settled, 5 JPY, W3" },
    { ...missing, ledgerShows: "settled, 24.95 INR, W2" },
    { class: "unexplained_movement", ledgerShows: null, statementShows: MOVEMENT },
    { class: "gateway_number", ledgerShows: "W1", statementShows: "W2" },
  ]);
  const shown = kinds.map(({ differences, ...kind }) => ({
    ...kind,
    sums: differences.map((sum) => `${formatMoney(sum)} ${sum.currency}`),
  }));
  expect(shown).toEqual([
    { class: "missing_at_gateway", count: 3, sums: ["-100.00 INR", "-5 JPY"] },
    { class: "unexplained_movement", count: 1, sums: ["-12599752.49 INR"] },
    { class: "gateway_number", count: 1, sums: [] },
  ]);
});
