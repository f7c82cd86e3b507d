/** The warning that an edited rule pays for a period that already has an occurrence. */
import { expect, test } from "vitest";
import type { Rule } from "#schedule/calendar.ts";
import { repeatedPeriod } from "#schedule/repeated-period.ts";

const MONTHLY: Rule = { every: "month", on: 28 };
const FIRST: Rule = { every: "month", on: 1 };
const FRIDAYS: Rule = { every: "week", on: ["fri"], weeks: 1 };
const MONDAYS: Rule = { every: "week", on: ["mon"], weeks: 1 };
const DAILY: Rule = { every: "day" };
const warning = (before: Rule, last: string, after: Rule, first: string, gapDays = 0) =>
  repeatedPeriod({ before, after, gapDays }, { last: `${last}T09:00`, first: `${first}T09:00` });

test("names both days if the new rule pays a month again", () => {
  expect(warning(FIRST, "2026-11-25", MONTHLY, "2026-11-28")).toBe(
    "The schedule already has an occurrence at 2026-11-25 09:00. With the new rule, it also pays on 2026-11-28.",
  );
});

test.each([
  ["the last day of a month after its first day", FIRST, "2026-11-01", MONTHLY, "2026-11-30"],
  ["Monday after Friday", FRIDAYS, "2026-11-27", MONDAYS, "2026-11-30"],
  ["a day after a monthly batch", MONTHLY, "2026-11-28", DAILY, "2026-11-29"],
  ["a month after a daily batch", DAILY, "2026-11-27", FIRST, "2026-12-01"],
] as const)("warns of %s", (_name, before, last, after, first) => {
  expect(warning(before, last, after, first)).not.toBeNull();
});

test("warns of less time than between the last two batches, whatever the rules", () => {
  expect(warning(FRIDAYS, "2026-11-20", DAILY, "2026-11-28", 31)).not.toBeNull();
  expect(warning(FRIDAYS, "2026-11-20", DAILY, "2026-11-28", 8)).toBeNull();
});

test.each([
  ["the next month", FIRST, "2026-11-25", MONTHLY, "2026-12-28"],
  ["the next week", FRIDAYS, "2026-11-20", MONDAYS, "2026-11-30"],
] as const)("gives no warning for %s", (_name, before, last, after, first) => {
  expect(warning(before, last, after, first)).toBeNull();
});
