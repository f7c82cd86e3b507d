import { afterEach, expect, test } from "vitest";
import {
  addDays,
  localDay,
  startOfDay,
  toLocal,
  toUtc,
} from "../../../dashboard/src/base/local-time.ts";
import { readerZone, setReaderZone } from "../../../dashboard/src/base/time-zone.ts";

afterEach(() => setReaderZone(null));

test.each([
  ["Asia/Kolkata", "2026-12-31T23:05", "2026-12-31T17:35:00.000Z"],
  ["America/New_York", "2026-07-01T09:00", "2026-07-01T13:00:00.000Z"],
  // Occurs twice: the first one.
  ["America/New_York", "2026-11-01T01:30", "2026-11-01T05:30:00.000Z"],
  ["Europe/Berlin", "2026-10-25T02:30", "2026-10-25T00:30:00.000Z"],
  // Skipped: the clocks show an hour more.
  ["America/New_York", "2026-03-08T02:30", "2026-03-08T07:30:00.000Z"],
  ["Europe/Berlin", "2026-03-29T02:30", "2026-03-29T01:30:00.000Z"],
  ["UTC", "no time", "no time"],
])("converts a time in %s, %s, to %s", (zone, local, utc) => {
  setReaderZone(zone);
  expect(toUtc(local)).toBe(utc);
});

test("starts a day at its first moment, also where the clocks skip midnight", () => {
  setReaderZone("Asia/Kolkata");
  expect(startOfDay("2026-12-31")).toBe("2026-12-30T18:30:00.000Z");
  expect(startOfDay("2026-12-31", 1)).toBe("2026-12-31T18:30:00.000Z");
  expect(startOfDay("no day", 1)).toBe("no day");
  setReaderZone("Asia/Beirut");
  expect(startOfDay("2026-03-29")).toBe("2026-03-28T22:00:00.000Z");
});

test("returns the local time and day of a moment", () => {
  setReaderZone("Asia/Kolkata");
  expect(toLocal("2026-12-31T19:00:00Z")).toBe("2027-01-01T00:30");
  expect(toLocal(undefined)).toBe("");
  expect(localDay(Date.parse("2026-12-31T19:00:00Z"))).toBe("2027-01-01");
  expect(addDays("2026-02-28", 1)).toBe("2026-03-01");
});

test("uses the zone of the browser without a chosen one, or with one that it does not know", () => {
  const own = readerZone();
  setReaderZone("Asia/Kolkata");
  expect(readerZone()).toBe("Asia/Kolkata");
  setReaderZone("Mars/Olympus");
  expect(readerZone()).toBe(own);
});
