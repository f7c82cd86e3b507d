import { describe, expect, test } from "vitest";
import {
  deletesEarlier,
  keptAfterOf,
  RETENTION_KIND_NAMES,
  type RetentionRules,
} from "#integrity/retention.ts";

const NO_RULES = Object.fromEntries(
  RETENTION_KIND_NAMES.map((kind) => [kind, null]),
) as unknown as RetentionRules;
const policy = (rules: Partial<RetentionRules> = {}, hold: string | null = null) => ({
  rules: { ...NO_RULES, ...rules },
  hold,
});

describe("a change can delete earlier", () => {
  test.each([
    ["a new rule that deletes", policy(), policy({ sessions: 400 })],
    ["a shorter rule", policy({ deliveries: 60 }), policy({ deliveries: 59 })],
    ["the end of a legal hold", policy({}, "case 12"), policy()],
    ["no minimum", policy({ payout_details: 1 }), policy()],
    ["a lower minimum", policy({ payout_details: 10 }), policy({ payout_details: 9 })],
  ])("with %s", (_what, before, after) => expect(deletesEarlier(before, after)).toBe(true));

  test.each([
    ["nothing new", policy({ sessions: 400 }, "x"), policy({ sessions: 400 }, "x")],
    ["a longer rule", policy({ deliveries: 60 }), policy({ deliveries: 61 })],
    ["a removed rule", policy({ deliveries: 60 }), policy()],
    ["a legal hold", policy(), policy({}, "case 12")],
    ["another reason", policy({}, "case 12"), policy({}, "case 13")],
    ["a minimum", policy(), policy({ payout_details: 10 })],
  ])("not with %s", (_what, before, after) => expect(deletesEarlier(before, after)).toBe(false));
});

test("keeps details for the minimum, and all details during a legal hold", () => {
  const nowMs = Date.UTC(2026, 10, 28);
  expect(keptAfterOf(policy({ sessions: 30 }), nowMs)).toBeNull();
  expect(keptAfterOf(policy({ payout_details: 2 }), nowMs)).toEqual(new Date("2026-11-26"));
  expect(keptAfterOf(policy({ payout_details: 2 }, "case 12"), nowMs)).toEqual(new Date(0));
});
