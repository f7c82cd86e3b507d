import { expect, test } from "vitest";
import {
  dateFieldText,
  dateText,
  dateTimeText,
  nearTimeText,
  readDate,
  readTime,
  weekdayText,
} from "../../../dashboard/src/base/dates.ts";

const AT = "2026-12-31T23:05:12Z";

test("writes a time in 24 hours, in the asked zone", () => {
  expect(dateTimeText(AT, { zone: "UTC" })).toBe("31 Dec 2026, 23:05");
  expect(dateTimeText(AT, { zone: "UTC", seconds: true })).toBe("31 Dec 2026, 23:05:12");
  expect(dateTimeText(AT, { zone: "Asia/Kolkata" })).toBe("1 Jan 2027, 04:35");
  expect(dateTimeText("soon")).toBe("soon");
});

test("writes a day, and returns text that is no day", () => {
  expect(dateText("2026-09-05")).toBe("5 Sep 2026");
  expect(weekdayText("2026-12-31")).toBe("Thu, 31 Dec 2026");
  expect(dateText("tomorrow")).toBe("tomorrow");
  expect(dateFieldText("2026-12-31T09:00")).toBe("31 Dec 2026, 09:00");
  expect(dateFieldText("")).toBe("");
});

test("names today and yesterday, and the year of another year", () => {
  const at = (hours: number): string =>
    new Date(new Date(2027, 0, 2, 0, 30).getTime() - hours * 3_600_000).toISOString();
  const nowMs = new Date(2027, 0, 2, 0, 30).getTime();
  expect(nearTimeText(at(0), nowMs)).toBe("Today, 00:30");
  expect(nearTimeText(at(1), nowMs)).toBe("Yesterday, 23:30");
  expect(nearTimeText(at(24), nowMs)).toBe("Yesterday, 00:30");
  expect(nearTimeText(at(25), nowMs)).toBe("31 Dec 2026, 23:30");
  expect(nearTimeText(new Date(2027, 5, 1, 9, 5).toISOString(), nowMs)).toBe("1 Jun, 09:05");
});

test.each([
  ["31 Dec 2026", "2026-12-31"],
  ["1 sept. 2026", "2026-09-01"],
  ["2026-02-28", "2026-02-28"],
  ["31/12/2026", null],
  ["30 Feb 2026", null],
  ["2026-13-01", null],
  ["5 Foo 2026", null],
  ["", null],
])("reads the date %j as %j", (text, date) => {
  expect(readDate(text)).toBe(date);
});

test("reads a date with its time", () => {
  expect(readDate("31 Dec 2026, 9:05", true)).toBe("2026-12-31T09:05");
  expect(readDate("2026-12-31T23:05", true)).toBe("2026-12-31T23:05");
  expect(readDate("31 Dec 2026", true)).toBe("2026-12-31T00:00");
  expect(readDate("31 Dec 2026, 25:00", true)).toBeNull();
});

test.each([
  ["9", "09:00"],
  ["900", "09:00"],
  ["0900", "09:00"],
  ["9:30", "09:30"],
  ["24:00", null],
  ["9am", null],
])("reads the time %j as %j", (text, time) => {
  expect(readTime(text)).toBe(time);
});
