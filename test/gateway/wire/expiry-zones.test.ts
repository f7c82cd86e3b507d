/**
 * A separate file, because only a process can change its time zone and mutation tests run in
 * threads.
 */
import { expect, test } from "vitest";
import { expiryMs } from "#gateway/wire/expiry.ts";

const iso = (at: string, zone: string) => {
  const ms = expiryMs(at, zone);
  return ms === null ? null : new Date(ms).toISOString();
};

// Where clocks go forward at 02:00 one hour does not exist, and where they go back one hour occurs
// twice. With a label it is one moment.
test.each([
  ["America/Sao_Paulo", "2018-11-04 00:30:00", "GMT-03:00", "2018-11-04T03:30:00.000Z"],
  ["America/New_York", "2026-03-08 02:30:00", "GMT+05:30", "2026-03-07T21:00:00.000Z"],
  ["America/New_York", "2026-11-01 01:30:00", "GMT+05:30", "2026-10-31T20:00:00.000Z"],
  ["Europe/Istanbul", "2016-03-27 03:30:00", "GMT+03:00", "2016-03-27T00:30:00.000Z"],
  ["Asia/Seoul", "2026-03-29 02:30:00", "GMT+09:00", "2026-03-28T17:30:00.000Z"],
])(
  "ignores daylight saving of this machine's zone: in %s %s %s is %s",
  (place, at, zone, expected) => {
    const before = process.env["TZ"];
    process.env["TZ"] = place;
    try {
      // The zone is in effect. Otherwise this would prove nothing.
      expect(Intl.DateTimeFormat().resolvedOptions().timeZone).toBe(place);
      expect(iso(at, zone)).toBe(expected);
    } finally {
      if (before === undefined) delete process.env["TZ"];
      else process.env["TZ"] = before;
    }
  },
);
