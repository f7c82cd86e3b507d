import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  allowedAmount,
  findLimitBreaches,
  extraApprovers,
  groupLimits,
  isHardLimitExceeded,
  LIMIT_SCOPE_NAMES,
  type MeasuredLimits,
  type PayoutLimit,
  describeLimitBreach,
  describeLimitRemedy,
  type Sum,
} from "#approval/payout-limits.ts";
import { formatMoney } from "#money/format.ts";

const limit = (amount: string, hard = true): PayoutLimit => ({
  scope: "day",
  currency: "INR",
  amount,
  hard,
});
const measured = (
  limits: readonly PayoutLimit[],
  sums: readonly Sum[],
): readonly MeasuredLimits[] => groupLimits(limits).map((group) => ({ ...group, sums }));
const sum = (before: bigint, own: bigint, line: number | null = null): Sum => ({
  before,
  own,
  line,
});

const anAmount = fc.bigInt({ min: 0n, max: 10n ** 18n });
const sums = fc.array(
  fc.record({ before: anAmount, own: anAmount, line: fc.nat({ max: 1_000_000 }) }),
  { maxLength: 8 },
);
const inr = (minor: bigint): string => formatMoney({ currency: "INR", minor, minorDigits: 2 });
const limits = fc.array(
  fc.record({ minor: fc.bigInt({ min: 0n, max: 10n ** 16n }), hard: fc.boolean() }),
  {
    minLength: 1,
    maxLength: 4,
  },
);

describe("limits that a batch exceeds", () => {
  test("is exceeded by a larger amount, but not by exactly the limit", () => {
    fc.assert(
      fc.property(limits, sums, (drawn, found) => {
        const given = drawn.map(({ minor, hard }) => limit(inr(minor), hard));
        const breaches = findLimitBreaches(measured(given, found));
        const largest = found.reduce(
          (max, { before, own }) => (before + own > max ? before + own : max),
          0n,
        );
        expect(breaches).toHaveLength(drawn.filter(({ minor }) => largest > minor).length);
        for (const { allowed, found: most, over } of breaches) {
          expect(most.minor).toBe(largest);
          expect(allowed.minor + over.minor).toBe(most.minor);
          expect(over.minor > 0n).toBe(true);
        }
      }),
    );
  });

  test("refuses when one hard limit is exceeded, and needs one more approver for any number of soft limits", () => {
    fc.assert(
      fc.property(limits, sums, (drawn, found) => {
        const breaches = findLimitBreaches(
          measured(
            drawn.map(({ minor, hard }) => limit(inr(minor), hard)),
            found,
          ),
        );
        expect(isHardLimitExceeded(breaches)).toBe(breaches.some(({ limit: { hard } }) => hard));
        expect(extraApprovers(breaches)).toBe(
          breaches.some(({ limit: { hard } }) => !hard) ? 1 : 0,
        );
        // Hard limits come first, because they are the ones to act on.
        const firstSoft = breaches.findIndex(({ limit: { hard } }) => !hard);
        expect(
          breaches.slice(firstSoft).some(({ limit: { hard } }) => hard && firstSoft >= 0),
        ).toBe(false);
      }),
    );
  });

  test("exceeds no fewer limits with more money and no more limits with a higher limit", () => {
    fc.assert(
      fc.property(
        anAmount,
        anAmount,
        fc.bigInt({ min: 0n, max: 10n ** 16n }),
        (before, own, raise) => {
          const passes = (allowed: bigint, adds: bigint) =>
            findLimitBreaches(measured([limit(inr(allowed))], [sum(before, adds)])).length;
          const allowed = before / 100n;
          expect(passes(allowed, own + 1n)).toBeGreaterThanOrEqual(passes(allowed, own));
          expect(passes(allowed + raise, own)).toBeLessThanOrEqual(passes(allowed, own));
        },
      ),
    );
  });
});

test("accepts exactly the limit and refuses one unit more", () => {
  const passed = (minor: bigint) =>
    findLimitBreaches(measured([limit("10.00")], [sum(400n, minor - 400n)]));
  expect([999n, 1_000n, 1_001n].map((minor) => passed(minor).length)).toEqual([0, 0, 1]);
});

test("lists the rows that exceed the limit, the largest first, and no others", () => {
  const found = [sum(0n, 1_000n, 3), sum(1n, 1_000n, 2), sum(0n, 1_002n, 5)];
  const [breach] = findLimitBreaches(measured([limit("10.00", false)], found));
  expect(breach && describeLimitBreach(breach)).toBe(
    "INR limit for all payouts approved in one day (lines 5, 2): 10.00 allowed, 10.02 found; exceeded by 0.02 (soft limit).",
  );
  const [whole] = findLimitBreaches(measured([limit("10.00")], [sum(0n, 1_001n)]));
  expect(whole && describeLimitBreach(whole)).toContain("in one day: 10.00 allowed");
});

test("compares a limit with more decimals than the currency in its own, finer unit", () => {
  const [group] = groupLimits([limit("10.005"), limit("11", false)]);
  expect(group?.minorDigits).toBe(3);
  expect(group?.limits.map((each) => allowedAmount(each, 3))).toEqual([10_005n, 11_000n]);
  expect(() => allowedAmount(limit("10.005"), 2)).toThrow("finer");
  expect(() => allowedAmount(limit("ten"), 2)).toThrow("a limit's amount is not a decimal: ten");
  const currencies = ["JPY", "INR", "USDT"].map((currency) => ({ ...limit("5"), currency }));
  expect(groupLimits(currencies).map(({ minorDigits }) => minorDigits)).toEqual([0, 2, 8]);
});

test("says which limit, where, the allowed and found amounts, and what to do", () => {
  const [breach] = findLimitBreaches(measured([limit("1000")], [sum(90_000n, 20_001n, 7)]));
  if (!breach) throw new Error("no limit is exceeded");
  expect(describeLimitBreach(breach)).toBe(
    "INR limit for all payouts approved in one day (line 7): 1,000.00 allowed, 1,100.01 found, of which 900.00 was already approved; exceeded by 100.01 (hard limit).",
  );
  expect(describeLimitRemedy(breach)).toBe(
    "Wait until another day. Alternatively, ask an admin to raise the limit.",
  );
  for (const scope of LIMIT_SCOPE_NAMES) {
    const soft = {
      ...breach,
      before: { ...breach.before, minor: 0n },
      limit: { ...breach.limit, scope, hard: false },
    };
    expect(describeLimitBreach(soft)).not.toMatch(/undefined|before/);
    expect(describeLimitRemedy(soft)).toBe("The batch needs one more approver.");
  }
});
