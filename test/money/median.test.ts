import { expect, test } from "vitest";
import { medianAmount } from "#money/median.ts";

test.each([
  [[], null],
  [[5n], 5n],
  [[26_094_124n, 14_115_650n], 20_104_887n],
  [[9n, 1n], 5n],
  [[4n, 1n], 2n],
  [[3n, 1n, 10n ** 20n], 3n],
  [[3n, 1n, 2n, 10n ** 20n], 2n],
  [[10n ** 20n, 10n ** 20n + 2n], 10n ** 20n + 1n],
])("%# is the middle amount, or the mean of the two in the middle", (amounts, median) => {
  expect(medianAmount(amounts)).toBe(median);
});
