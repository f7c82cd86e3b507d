import { describe, expect, test } from "vitest";
import { coverTenths, percentile } from "#operations/results.ts";

describe("percentile", () => {
  test.each([
    [[], 0.5, null],
    [[{ seconds: 0, payouts: 9 }], 0.5, null],
    [[{ seconds: 8, payouts: 1 }], 0.95, 8],
    [
      [
        { seconds: 300, payouts: 5 },
        { seconds: 2, payouts: 95 },
      ],
      0.95,
      2,
    ],
    [
      [
        { seconds: 2, payouts: 94 },
        { seconds: 300, payouts: 6 },
      ],
      0.95,
      300,
    ],
  ])("%j at %d is %j", (counts, share, seconds) => {
    expect(percentile(counts, share)).toBe(seconds);
  });
});

test.each([
  [100n, 0n, null],
  [0n, 300n, 0],
  [-5n, 300n, 0],
  [100n, 3_000n, 10],
  [199n, 3_000n, 19],
  [10n ** 24n, 10n ** 24n, 300],
])("%s minor units last %s paid in 30 days for %j tenths of a day", (available, paid, tenths) => {
  expect(coverTenths(available, paid, 30)).toBe(tenths);
});
