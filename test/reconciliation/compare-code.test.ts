import * as fc from "fast-check";
import { expect, test } from "vitest";
import { CodeComparison, isAgreed } from "#reconciliation/compare-code.ts";
import type { PayoutState } from "#payout/payout-lifecycle.ts";
import type { StatementStatus } from "#reconciliation/records.ts";
import { line, payout } from "./records.ts";

const STATES = [
  "awaiting_approval",
  "approved",
  "cancelled",
  "submitting",
  "in_doubt",
  "accepted",
  "on_hold",
  "settled",
  "declined",
  "returned",
  "resolved",
] as const satisfies readonly PayoutState[];

const RESULTS: readonly StatementStatus[] = ["completed", "failed", "pending", "returned"];

test("a payout agrees with its only line exactly if their comparison finds no break", () => {
  const amount = fc.constantFrom(
    { minor: 100n, minorDigits: 2 },
    { minor: 101n, minorDigits: 2 },
    { minor: 10n, minorDigits: 1 },
    { minor: 100n, minorDigits: 1 },
  );
  const both = {
    amount,
    fee: fc.option(amount),
    currency: fc.constantFrom("INR", "USD"),
    gatewayNumber: fc.option(fc.constantFrom("WD1", "WD2")),
  };
  const record = fc.record({
    ...both,
    state: fc.constantFrom(...STATES),
    arrived: fc.boolean(),
    hadSettled: fc.boolean(),
    hasSettledOnDay: fc.boolean(),
    wasInProgress: fc.boolean(),
    isListedElsewhere: fc.boolean(),
    isExpected: fc.boolean(),
    isReturnExpected: fc.boolean(),
  });
  const listed = fc.record({
    ...both,
    status: fc.constantFrom(...RESULTS),
    isListedElsewhere: fc.boolean(),
    alsoCompleted: fc.option(fc.constant("2026-11-25, WD9")),
  });
  const seen = new Set<boolean>();
  fc.assert(
    fc.property(record, listed, (changes, values) => {
      const [left, right] = [payout("A", changes), line("A", values)];
      const comparison = new CodeComparison("A", left);
      comparison.add(right);
      const agrees = isAgreed(left, right);
      seen.add(agrees);
      expect(comparison.end().length === 0).toBe(agrees);
    }),
    { numRuns: 20_000 },
  );
  expect(seen).toEqual(new Set([true, false]));
});
