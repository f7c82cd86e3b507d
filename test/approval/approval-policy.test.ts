import { describe, expect, test } from "vitest";
import {
  type ApprovalRule,
  type CurrencySums,
  peopleNeeded,
  whyPeopleNeeded,
} from "#approval/approval-policy.ts";

const sums = (
  currency: string,
  largest: bigint,
  total = largest,
  minorDigits = 2,
): CurrencySums => ({
  largest: { currency, minor: largest, minorDigits },
  total: { currency, minor: total, minorDigits },
});
const rule = (change: Partial<ApprovalRule>): ApprovalRule => ({
  currency: null,
  measure: "total",
  above: "1000",
  people: 3,
  ...change,
});

describe("approvers that a batch needs", () => {
  test("uses the default number when no rule applies", () => {
    expect(peopleNeeded({ base: 2, rules: [] }, [sums("INR", 1n)])).toEqual({
      people: 2,
      rule: null,
    });
  });

  test.each([
    ["not at the amount itself", rule({}), [sums("INR", 100_000n)], 1],
    ["from the first unit above it", rule({}), [sums("INR", 100_001n)], 3],
    ["a large sum in small rows", rule({}), [sums("INR", 10n, 100_001n)], 3],
    ["a total is no row", rule({ measure: "row" }), [sums("INR", 10n, 900_000n)], 1],
    ["a large row", rule({ measure: "row" }), [sums("INR", 100_001n)], 3],
    ["each currency by itself", rule({}), [sums("INR", 60_000n), sums("THB", 60_000n)], 1],
    ["one of several currencies", rule({}), [sums("INR", 1n), sums("THB", 100_001n)], 3],
    ["another currency's rule", rule({ currency: "INR" }), [sums("THB", 900_000n)], 1],
    ["its own currency's rule", rule({ currency: "THB" }), [sums("THB", 900_000n)], 3],
    ["no minor digits", rule({ above: "1000" }), [sums("JPY", 1_001n, 1_001n, 0)], 3],
    ["finer than the currency: below", rule({ above: "1000.005" }), [sums("INR", 100_000n)], 1],
    ["finer than the currency: above", rule({ above: "1000.005" }), [sums("INR", 100_001n)], 3],
  ])("%s", (_what, only, batch, people) => {
    expect(peopleNeeded({ base: 1, rules: [only] }, batch).people).toBe(people);
  });

  test("applies the strictest rule and never less than the default", () => {
    const rules = [rule({ people: 1 }), rule({ people: 2 }), rule({ people: 3, above: "2000" })];
    expect(peopleNeeded({ base: 2, rules }, [sums("INR", 150_000n)])).toEqual({
      people: 2,
      rule: null,
    });
    expect(peopleNeeded({ base: 1, rules }, [sums("INR", 900_000n)]).rule).toBe(rules[2]);
  });

  test("names the rule that applies", () => {
    expect(whyPeopleNeeded({ people: 1, rule: null })).toBe("one person is enough");
    expect(whyPeopleNeeded({ people: 2, rule: null })).toBe("every batch needs 2 people");
    expect(whyPeopleNeeded({ people: 3, rule: rule({ currency: "INR" }) })).toBe(
      "a total above 1,000 INR needs 3 people",
    );
    expect(whyPeopleNeeded({ people: 3, rule: rule({ measure: "row" }) })).toBe(
      "a payout above 1,000 in any currency needs 3 people",
    );
  });
});
