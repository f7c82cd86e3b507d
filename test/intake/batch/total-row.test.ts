import { expect, test } from "vitest";
import { equalsTotal, looksLikeTotal } from "#intake/batch/total-row.ts";

test.each([
  [["Total", "", "1,200.00", ""]],
  [["", "Grand  Total:", "", "12"]],
  [["合計", "", "12000"]],
  [["Gesamt", "EUR 1.200,00", "3"]],
  [["TOTAL", "", ""]],
  [["Sum =", "+12", "1'200.50"]],
])("%j looks like a total", (cells) => {
  expect(looksLikeTotal(cells)).toBe(true);
});

test.each([
  [["", "", ""]],
  [["U-1", "", "12"]],
  [["Total Energies", "", "12"]],
  [["Total", "INR", "12"]],
  [["Total", "HDFC0000001", "12"]],
  [["12", "Total"]],
  [["1200.00"]],
])("%j does not look like a total", (cells) => {
  expect(looksLikeTotal(cells)).toBe(false);
});

const HEADER = ["user_id", "transaction_amount"];
const totals = [{ amount: "1200.50" }];

test.each([
  ["1200.50", "plain", true],
  ["1200.5", "plain", true],
  ["01200.500", "plain", true],
  ["1,200.50", "1,234.56", true],
  ["1.200,50", "1.234,56", true],
  ["1200.05", "plain", false],
  ["200.50", "plain", false],
  ["1200", "plain", false],
  ["", "plain", null],
  ["1,200.50", "plain", null],
] as const)(
  "compares %s in the format %s with the total of the payouts: %s",
  (text, style, same) => {
    expect(equalsTotal(HEADER, ["Total", ` ${text} `], totals, style)).toBe(same);
  },
);

test("compares whole numbers, and none with several currencies or without a payout", () => {
  expect(equalsTotal(HEADER, ["Total", "1200"], [{ amount: "1200.00" }], "plain")).toBe(true);
  expect(equalsTotal(HEADER, ["Total", "0"], [{ amount: "0.00" }], "plain")).toBe(true);
  expect(equalsTotal(HEADER, ["Total", "1200.50"], [...totals, ...totals], "plain")).toBeNull();
  expect(equalsTotal(HEADER, ["Total", "1200.50"], [], "plain")).toBeNull();
  expect(equalsTotal(["user_id", "note"], ["Total", "1200.50"], totals, "plain")).toBeNull();
});
