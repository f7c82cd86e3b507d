import { describe, expect, test } from "vitest";
import { expiryMs } from "#gateway/expiry.ts";

const iso = (at: string, zone: string) => {
  const ms = expiryMs(at, zone);
  return ms === null ? null : new Date(ms).toISOString();
};

describe("the moment of expired_at in expired_timezone", () => {
  // biome-ignore format: the columns are the point
  test.each([
    ["2023-10-20 16:03:01", "GMT+05:30",  "2023-10-20T10:33:01.000Z"],
    ["2023-10-20 16:03:01", "GMT 05:30",  "2023-10-20T10:33:01.000Z"],
    ["2023-10-20 16:03:01", "GMT05:30",   "2023-10-20T10:33:01.000Z"],
    ["2023-10-20T16:03:01", "utc+0530",   "2023-10-20T10:33:01.000Z"],
    ["2023-10-20 16:03:01", " GMT+9:00 ", "2023-10-20T07:03:01.000Z"],
    ["2023-10-20 16:03:01", "GMT-03:00",  "2023-10-20T19:03:01.000Z"],
    ["2023-10-20 16:03:01", "GMT",        "2023-10-20T16:03:01.000Z"],
    ["2023-10-20 16:03:01", "Z",          "2023-10-20T16:03:01.000Z"],
    ["2023-10-20 16:03:01", "GMT+00:00",  "2023-10-20T16:03:01.000Z"],
    ["2023-12-31 23:59:59", "GMT-12:00",  "2024-01-01T11:59:59.000Z"],
    ["2024-01-01 00:00:00", "GMT+14:00",  "2023-12-31T10:00:00.000Z"],
    ["2024-02-29 00:00:00", "GMT+05:45",  "2024-02-28T18:15:00.000Z"],
  ])("%s %s is %s", (at, zone, expected) => {
    expect(iso(at, zone)).toBe(expected);
  });

  test.each([
    ["2023-02-29 00:00:00", "GMT+05:30"],
    ["2023-13-01 00:00:00", "GMT+05:30"],
    ["2023-10-20 24:00:00", "GMT+05:30"],
    ["2023-10-20 23:60:00", "GMT+05:30"],
    ["2023-10-20 23:59:60", "GMT+05:30"],
    ["2023-10-20", "GMT+05:30"],
    ["20.10.2023 16:03:01", "GMT+05:30"],
    ["x2023-10-20 16:03:01", "GMT+05:30"],
    ["2023-10-20 16:03:01.5", "GMT+05:30"],
    ["", "GMT+05:30"],
    ["2023-10-20 16:03:01", ""],
    ["2023-10-20 16:03:01", "IST"],
    ["2023-10-20 16:03:01", "Asia/Kolkata"],
    ["2023-10-20 16:03:01", "GMT+05:60"],
    ["2023-10-20 16:03:01", "GMT+14:01"],
    ["2023-10-20 16:03:01", "GMT-12:01"],
    ["2023-10-20 16:03:01", "GMT+5"],
    ["2023-10-20 16:03:01", "xGMT+05:30"],
    ["2023-10-20 16:03:01", "GMT+05:30x"],
    ["2023-10-20 16:03:01", "GMT+005:30"],
    ["2023-10-20 16:03:01", "xUTC"],
    ["2023-10-20 16:03:01", "UTCx"],
  ])("%j %j names no moment", (at, zone) => {
    expect(expiryMs(at, zone)).toBeNull();
  });

  // Where clocks go forward at 02:00 an hour does not exist, and where they go back one comes twice; by label it is one moment.
  test.each([
    ["America/Sao_Paulo", "2018-11-04 00:30:00", "GMT-03:00", "2018-11-04T03:30:00.000Z"],
    ["America/New_York", "2026-03-08 02:30:00", "GMT+05:30", "2026-03-07T21:00:00.000Z"],
    ["America/New_York", "2026-11-01 01:30:00", "GMT+05:30", "2026-10-31T20:00:00.000Z"],
    ["Europe/Istanbul", "2016-03-27 03:30:00", "GMT+03:00", "2016-03-27T00:30:00.000Z"],
    ["Asia/Seoul", "2026-03-29 02:30:00", "GMT+09:00", "2026-03-28T17:30:00.000Z"],
  ])(
    "in %s %s %s is %s: daylight saving of this machine's place changes nothing",
    (place, at, zone, expected) => {
      const before = process.env["TZ"];
      process.env["TZ"] = place;
      try {
        // The place is in force: otherwise this would prove nothing.
        expect(Intl.DateTimeFormat().resolvedOptions().timeZone).toBe(place);
        expect(iso(at, zone)).toBe(expected);
      } finally {
        if (before === undefined) delete process.env["TZ"];
        else process.env["TZ"] = before;
      }
    },
  );
});
