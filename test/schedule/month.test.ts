import { expect, test } from "vitest";
import { Calendar } from "#schedule/calendar.ts";
import { occurrencesInMonth, daysOfMonth } from "#schedule/month.ts";

const NOW = new Date("2026-11-21T12:00:00Z");
const rule = (of: object, more: object = {}) =>
  Calendar.parse({ rule: of, time: "09:00", zone: "Asia/Kolkata", ...more });
const days = (month: string, calendar: Calendar, holidays = new Map<string, Set<string>>()) =>
  occurrencesInMonth(month, calendar, { now: NOW, last: null }, holidays).map(({ local }) =>
    local.slice(0, 10),
  );

test("has the days of the month, including a leap February", () => {
  expect(daysOfMonth("2028-02").at(-1)).toBe("2028-02-29");
  expect(daysOfMonth("2026-12")).toHaveLength(31);
});

test("includes every day of a future month, and no other", () => {
  expect(days("2026-12", rule({ every: "day" }))).toEqual(daysOfMonth("2026-12"));
});

test("includes only future times of the current month", () => {
  expect(days("2026-11", rule({ every: "day" }))[0]).toBe("2026-11-22");
  expect(days("2026-10", rule({ every: "day" }))).toEqual([]);
});

test("repeats no occurrence that the ledger contains", () => {
  const last = { day: "2026-12-05", local: "2026-12-05T09:00" };
  const later = rule({ every: "day" }, { time: "15:00" });
  const [first] = occurrencesInMonth("2026-12", later, { now: NOW, last }, new Map());
  expect(first?.day).toBe("2026-12-06");
});

test("shows a day moved past the end of its month in the month of its send date", () => {
  const ending = rule({ every: "month_end" }, { shift: "after", holidays: "INR" });
  const holidays = new Map([["INR", new Set(["2026-12-31", "2027-01-01"])]]);
  expect(days("2026-12", ending, holidays)).toEqual([]);
  expect(days("2027-01", ending, holidays)).toEqual(["2027-01-04"]);
});
