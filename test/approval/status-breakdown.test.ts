import fc from "fast-check";
import { expect, test } from "vitest";
import { statusBreakdowns, PART_OF_STATE, PARTS } from "#approval/status-breakdown.ts";
import type { PayoutState } from "#payout/payout-lifecycle.ts";

const STATES = Object.keys(PART_OF_STATE) as PayoutState[];
const inr = (minor: bigint) => ({ currency: "INR", minor, minorDigits: 2 });

const counted = fc.array(
  fc.record({
    state: fc.constantFrom(...STATES),
    count: fc.nat(1_000),
    sum: fc.bigInt(0n, 10n ** 20n).map(inr),
  }),
);

test("I3 balances the approved amount with the sum of its parts, to the last unit", () => {
  fc.assert(
    fc.property(counted, fc.bigInt(-5n, 5n), (rows, off) => {
      const whole = rows.reduce((sum, { sum: { minor } }) => sum + minor, 0n);
      for (const { parts, isBalanced } of statusBreakdowns([inr(whole + off)], rows)) {
        expect(PARTS.reduce((sum, part) => sum + parts[part].minor, 0n)).toBe(whole);
        expect(PARTS.reduce((sum, part) => sum + parts[part].count, 0)).toBe(
          rows.reduce((sum, { count }) => sum + count, 0),
        );
        expect(isBalanced).toBe(off === 0n);
      }
    }),
  );
});

test("counts only settled payouts as settled, and in-doubt payouts as neither settled nor declined", () => {
  const statesOf = (part: string) => STATES.filter((state) => PART_OF_STATE[state] === part);
  expect(statesOf("settled")).toEqual(["settled"]);
  expect(statesOf("declined")).toEqual(["declined"]);
  expect(statesOf("in_doubt")).toEqual(["in_doubt"]);
});

test("keeps a separate equation per currency, including currencies without approved payouts", () => {
  const thb = { currency: "THB", minor: 5n, minorDigits: 2 };
  const equations = statusBreakdowns([inr(7n)], [{ state: "approved", count: 1, sum: thb }]);
  expect(equations.map(({ currency, isBalanced }) => [currency, isBalanced])).toEqual([
    ["INR", false],
    ["THB", false],
  ]);
});
