import { expect, test } from "vitest";

import { groupDigits, groupedAmount } from "#money/format.ts";

test("groups the digits of an amount in a sentence by thousands, and of INR by lakh and crore", () => {
  expect(groupedAmount({ currency: "KRW", minor: 3_125_000n, minorDigits: 0 })).toBe("3,125,000");
  expect(groupedAmount({ currency: "THB", minor: -123_456_789n, minorDigits: 2 })).toBe(
    "-1,234,567.89",
  );
  expect(groupedAmount({ currency: "INR", minor: 12_345_678_900n, minorDigits: 2 })).toBe(
    "12,34,56,789.00",
  );
  expect(groupDigits("999", "INR")).toBe("999");
  expect(groupDigits("1000.123456", "THB")).toBe("1,000.123456");
});
