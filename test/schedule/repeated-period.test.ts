/** The warning that an edited rule pays for a period that already has a batch. */
import { expect, test } from "vitest";
import { Calendar } from "#schedule/calendar.ts";
import { repeatedPeriod } from "#schedule/repeated-period.ts";

const MONTHLY = Calendar.parse({
  rule: { every: "month", on: 28 },
  time: "09:00",
  zone: "Asia/Kolkata",
});
const last = "2026-11-25T09:00";
const warning = (first: string, isNewRule = true, before: string | null = last) =>
  repeatedPeriod(MONTHLY, { isNewRule, last: before, first });

test("warns of a new monthly rule whose first day follows a batch of the same month", () => {
  expect(warning("2026-11-28T09:00")).toBe(
    "The schedule already has a batch for 2026-11-25 09:00. With the new rule, it also pays on 2026-11-28.",
  );
});

test("gives no warning for the next month, for the same rule, or without an earlier batch", () => {
  expect(warning("2026-12-28T09:00")).toBeNull();
  expect(warning("2026-11-28T09:00", false)).toBeNull();
  expect(warning("2026-11-28T09:00", true, null)).toBeNull();
});
