import { expect, test } from "vitest";
import { ratioInHundredths, ROW_CHECKS, timesText, compareTotal } from "#approval/anomalies.ts";

test.each([
  [199n, false],
  [200n, true],
  [51n, false],
  [50n, true],
])("compares %i with a usual 100: unusual is %s", (total, isFar) => {
  expect(compareTotal(total, [100n, 90n, 120n])?.isUnusual).toBe(isFar);
});

test("returns nothing without earlier totals", () => {
  expect(compareTotal(1n, [])).toBeNull();
});

test.each([
  [1_000n, 80n, "12.5"],
  [300n, 100n, "3"],
  [12_345n, 1_000n, "12.3"],
  [99n, 100n, "0.9"],
  [9n, 560n, "0.01"],
  [1n, 560n, "under 0.01"],
  [12_345n, 100n, "123"],
  [9_999n, 100n, "99.9"],
  [10_050n, 100n, "100"],
])("shows %i divided by %i as %s times", (amount, of, text) => {
  expect(timesText(ratioInHundredths(amount, of))).toBe(text);
});

test("compares a total with the median of the earlier ones, whatever their order", () => {
  expect(compareTotal(30n, [7n, 30n, 10n, 2n, 10n])).toEqual({
    median: 10n,
    ratio: 300n,
    isUnusual: true,
  });
  expect(compareTotal(110n, [100n, 10n])).toEqual({ median: 55n, ratio: 200n, isUnusual: true });
});

test("states the figures in the approver's checks", () => {
  expect(ROW_CHECKS.above_usual).toBe("more than 3 times the account's usual amount");
  expect(ROW_CHECKS.near_limit).toBe("at least 90% of the maximum payout amount");
});
