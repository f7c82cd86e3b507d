import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  dateFieldText,
  dateText,
  dateTimeText,
  exactTimeText,
  localTimeText,
  readDate,
  readTime,
  weekdayText,
} from "../../../dashboard/src/base/dates.ts";
import { setReaderZone } from "../../../dashboard/src/base/time-zone.ts";

const AT = "2026-12-31T23:05:12Z";

beforeEach(() => {
  vi.useFakeTimers({ now: new Date("2026-11-30T12:00:00Z") });
  setReaderZone("UTC");
});
afterEach(() => {
  vi.useRealTimers();
  setReaderZone(null);
});

test("writes a time in 24 hours, in the asked zone", () => {
  expect(dateTimeText(AT)).toBe("31 Dec, 23:05");
  expect(dateTimeText(AT, { seconds: true })).toBe("31 Dec, 23:05:12");
  expect(dateTimeText(AT, { zone: "Asia/Kolkata" })).toBe("1 Jan 2027, 04:35");
  expect(dateTimeText("soon")).toBe("soon");
});

test("writes times in the zone that the reader chose", () => {
  setReaderZone("Asia/Kolkata");
  expect(dateTimeText("2026-12-31T09:00:00Z")).toBe("31 Dec, 14:30");
  expect(exactTimeText("2026-12-31T09:00:00Z")).toBe("31 Dec 2026, 14:30:00 Asia/Kolkata");
});

test("omits only the current year", () => {
  expect(dateTimeText("2025-12-31T23:05:12Z")).toBe("31 Dec 2025, 23:05");
  expect(dateTimeText(AT, { year: true })).toBe("31 Dec 2026, 23:05");
  expect(weekdayText("2025-12-31")).toBe("Wed, 31 Dec 2025");
  // The year has begun in the reader's zone.
  vi.setSystemTime(new Date("2026-12-31T20:00:00Z"));
  setReaderZone("Asia/Kolkata");
  expect(dateTimeText("2026-12-31T19:00:00Z")).toBe("1 Jan, 00:30");
  expect(dateTimeText("2026-12-31T09:00:00Z")).toBe("31 Dec 2026, 14:30");
});

test("writes a day, and returns text that is no day", () => {
  expect(dateText("2026-09-05")).toBe("5 Sep");
  expect(weekdayText("2026-12-31")).toBe("Thu, 31 Dec");
  expect(localTimeText("2026-12-31 09:00 Asia/Kolkata")).toBe("Thu, 31 Dec, 09:00 Asia/Kolkata");
  expect(dateText("tomorrow")).toBe("tomorrow");
});

test("writes the year in fields", () => {
  expect(dateFieldText("2026-09-05")).toBe("5 Sep 2026");
  expect(dateFieldText("2026-12-31T09:00")).toBe("31 Dec 2026, 09:00");
  expect(dateFieldText("")).toBe("");
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
