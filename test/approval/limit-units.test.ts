import { expect, test } from "vitest";
import { findInvalidLimits } from "#approval/limit-units.ts";
import type { PayoutLimit } from "#approval/payout-limits.ts";
import type { AmountUnit } from "#money/currency.ts";

const unit = (currency: string, minorDigits: number): [string, AmountUnit] => [
  currency,
  { currency, minorDigits, gatewayDigits: minorDigits },
];
const UNITS = new Map([unit("INR", 2), unit("KRW", 0)]);
const limit = (currency: string, amount: string): PayoutLimit => ({
  scope: "day",
  currency,
  amount,
  hard: true,
});

test.each([
  ["XXX", "5", "currency", "XXX", "a configured currency: INR, KRW"],
  ["KRW", "5.1", "amount", "5.1", "KRW in no decimals"],
  ["INR", "5.001", "amount", "5.001", "INR in at most 2 decimals"],
])(
  "refuses %s %s, which can never be reached as intended",
  (currency, amount, field, found, expected) => {
    const limits = [limit("INR", "1"), limit(currency, amount)];
    expect(findInvalidLimits(limits, [], UNITS)).toEqual([{ at: 1, field, found, expected }]);
  },
);

test.each([
  ["INR", "5"],
  ["INR", "5.25"],
  ["KRW", "5"],
])("accepts %s %s", (currency, amount) => {
  expect(findInvalidLimits([limit(currency, amount)], [], UNITS)).toEqual([]);
});

test("keeps an existing rule, but accepts no other for its currency or amount", () => {
  const before = [limit("USDT", "5")];
  const wrong = (currency: string, amount: string) =>
    findInvalidLimits([limit(currency, amount)], before, UNITS).length;
  expect([wrong("USDT", "5"), wrong("USDT", "6"), wrong("XXX", "5")]).toEqual([0, 1, 1]);
});
