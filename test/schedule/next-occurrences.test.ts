import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Calendar, SHIFTS, WEEKDAYS } from "#schedule/calendar.ts";
import { readMoment } from "#schedule/local-time.ts";
import { type Occurrence, occurrencesAfter, positionAt } from "#schedule/next-occurrences.ts";
import { nextOccurrence } from "#schedule/schedule.ts";
import { readHolidays } from "#schedule/working-days.ts";

const read = readHolidays("currency,date,name\nINR,2026-01-26,Republic Day\nINR,2026-12-31\n");
if (!read.ok) throw new Error("the holidays of the tests cannot be read");
const holidays = read.value;

const calendar = (given: object): Calendar =>
  Calendar.parse({ time: "09:00", zone: "Asia/Kolkata", ...given });

function next(given: object, now: string, count: number): Occurrence[] {
  const parsed = calendar(given);
  return occurrencesAfter(parsed, positionAt(new Date(now), parsed.zone), holidays)
    .take(count)
    .toArray();
}
const locals = (given: object, now: string, count: number): string[] =>
  next(given, now, count).map(({ local }) => local);

describe("the next thousand occurrences match the stored file", () => {
  const KEPT = join(import.meta.dirname, "next-occurrences.txt");
  // biome-ignore format: the columns are the point
  const SERIES = [
    { rule: { every: "day" }, time: "02:30", zone: "Europe/Berlin" },
    { rule: { every: "day" }, time: "02:00", zone: "America/New_York" },
    { rule: { every: "day" }, time: "02:15", zone: "Australia/Lord_Howe" },
    { rule: { every: "last_working_day" }, zone: "Asia/Kolkata", holidays: "INR" },
    { rule: { every: "month", on: 31 }, time: "00:30", zone: "Africa/Cairo", shift: "after" },
    { rule: { every: "week", on: ["fri"], weeks: 2, from: "2026-01-02" }, zone: "America/Sao_Paulo", shift: "before" },
  ];
  const now = new Date("2026-01-01T00:00:00Z");
  const offset = ({ local, at }: Occurrence): string =>
    `${(Date.parse(`${local}Z`) - at.getTime()) / 60_000}`;
  const lines = SERIES.flatMap((given) => {
    const series = calendar(given);
    const found = occurrencesAfter(series, positionAt(now, series.zone), holidays).take(1_000);
    return [`# ${JSON.stringify(given)}`, ...found.map((each) => `${each.local} ${offset(each)}`)];
  });

  test("F65 in six zones, as local time and its offset from UTC in minutes", () => {
    if (process.env["KEEP_OCCURRENCES"]) writeFileSync(KEPT, `${lines.join("\n")}\n`);
    expect(lines).toEqual(readFileSync(KEPT, "utf8").trimEnd().split("\n"));
    expect(lines).toHaveLength(6 * 1_001);
  });
});

describe("nonexistent days and times", () => {
  test("F64 move a skipped time to the first moment after the gap, once", () => {
    const found = next(
      { rule: { every: "day" }, time: "02:30", zone: "Europe/Berlin" },
      "2026-03-28T12:00Z",
      2,
    );
    expect(found.map(({ local, at }) => [local, at.toISOString()])).toEqual([
      ["2026-03-29T03:00", "2026-03-29T01:00:00.000Z"],
      ["2026-03-30T02:30", "2026-03-30T00:30:00.000Z"],
    ]);
  });

  test("F64 move the first minute of the gap as well", () => {
    expect(
      locals(
        { rule: { every: "day" }, time: "02:00", zone: "Europe/Berlin" },
        "2026-03-28T12:00Z",
        1,
      ),
    ).toEqual(["2026-03-29T03:00"]);
  });

  test("F65 use the first of two equal local times, once", () => {
    const found = next(
      { rule: { every: "day" }, time: "02:30", zone: "Europe/Berlin" },
      "2026-10-24T12:00Z",
      2,
    );
    expect(found.map(({ at }) => at.toISOString())).toEqual([
      "2026-10-25T00:30:00.000Z",
      "2026-10-26T01:30:00.000Z",
    ]);
  });

  test("F68 move day 31 to the last day of a shorter month", () => {
    expect(locals({ rule: { every: "month", on: 31 } }, "2028-01-31T12:00Z", 3)).toEqual([
      "2028-02-29T09:00",
      "2028-03-31T09:00",
      "2028-04-30T09:00",
    ]);
  });
});

describe("F68 working days", () => {
  test("end a month before a weekend and before a holiday of the currency", () => {
    const given = { rule: { every: "last_working_day" }, holidays: "INR" };
    expect(
      locals(given, "2026-01-01T00:00Z", 3).concat(locals(given, "2026-12-01T00:00Z", 1)),
    ).toEqual(["2026-01-30T09:00", "2026-02-27T09:00", "2026-03-31T09:00", "2026-12-30T09:00"]);
  });

  test("move a weekend to Monday once, not once per day", () => {
    const given = { rule: { every: "day" }, shift: "after" };
    expect(locals(given, "2026-05-29T12:00Z", 2)).toEqual(["2026-06-01T09:00", "2026-06-02T09:00"]);
  });

  test("keep an occurrence moved from the previous month for a schedule that begins that morning", () => {
    const given = { rule: { every: "month_end" }, shift: "after" };
    expect(locals(given, "2026-06-01T00:00Z", 1)).toEqual(["2026-06-01T09:00"]);
  });

  test("keep the day of the rule when the holiday calendar changes", () => {
    const rule = { rule: { every: "month_end" }, shift: "before" };
    const [inr] = next({ ...rule, holidays: "INR" }, "2026-12-01T00:00Z", 1);
    const [other] = next({ ...rule, holidays: "JPY" }, "2026-12-01T00:00Z", 1);
    expect([inr?.local, other?.local]).toEqual(["2026-12-30T09:00", "2026-12-31T09:00"]);
    expect(inr?.day).toBe(other?.day);
  });

  test("use Friday and Saturday as the weekend of Bangladesh", () => {
    const given = {
      rule: { every: "week", on: ["fri"] },
      zone: "Asia/Dhaka",
      holidays: "BDT",
      shift: "after",
    };
    expect(locals(given, "2026-01-01T00:00Z", 1)).toEqual(["2026-01-04T09:00"]);
  });

  test("name an unreadable line of the calendar", () => {
    expect(readHolidays("INR,2026-02-30,nowhere\nINR,2026-03-04\nrupee")).toEqual({
      ok: false,
      error: ["line 1 is not CURRENCY,YYYY-MM-DD,name", "line 3 is not CURRENCY,YYYY-MM-DD,name"],
    });
  });
});

describe("laws", () => {
  const ZONES = [
    "Europe/Berlin",
    "America/New_York",
    "Australia/Lord_Howe",
    "Africa/Cairo",
    "Asia/Kolkata",
    "America/Santiago",
  ];
  const days = fc.date({
    min: new Date("2024-01-01"),
    max: new Date("2040-01-01"),
    noInvalidDate: true,
  });
  const dayText = days.map((date) => date.toISOString().slice(0, 10));
  const rules = fc.oneof(
    fc.record({ every: fc.constant("day") }),
    fc.record({
      every: fc.constant("week"),
      on: fc.uniqueArray(fc.constantFrom(...WEEKDAYS), { minLength: 1 }),
      weeks: fc.integer({ min: 1, max: 5 }),
      from: dayText,
    }),
    fc.record({ every: fc.constant("month"), on: fc.integer({ min: 1, max: 31 }) }),
    fc.record({ every: fc.constantFrom("month_end", "last_working_day") }),
  );
  const calendars = fc.record({
    rule: rules,
    time: fc
      .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
      .map((parts) => parts.map((part) => `${part}`.padStart(2, "0")).join(":")),
    zone: fc.constantFrom(...ZONES),
    holidays: fc.constantFrom("INR", "BDT", null),
    shift: fc.constantFrom(...SHIFTS),
  });
  /** Local time of the zone, from another source than the code uses. */
  const clocks = new Map(
    ZONES.map((timeZone) => [
      timeZone,
      new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "short" }),
    ]),
  );
  const shown = (at: number, zone: string): string | undefined =>
    clocks.get(zone)?.format(at).replace(" ", "T");

  test("F65 occurrences ascend without a repeated local time or day, and the zone's clocks show them for the first time", () => {
    fc.assert(
      fc.property(calendars, days, (given, now) => {
        const { zone, time } = given;
        const found = next(given, now.toISOString(), 30);
        expect(found).toHaveLength(30);
        for (const key of ["local", "day"] as const) {
          const values = found.map((each) => each[key]);
          expect([...new Set(values)].sort()).toEqual(values);
        }
        for (const { local, at } of found) {
          expect(at.getTime()).toBeGreaterThan(now.getTime() - 60_000);
          expect(shown(at.getTime(), zone)).toBe(local);
          for (const earlier of [30, 60])
            expect(shown(at.getTime() - earlier * 60_000, zone)).not.toBe(local);
          // One minute before a time that differs from the wanted one, the clocks showed an earlier
          // time than wanted: a gap.
          const before = `${shown(at.getTime() - 60_000, zone)}`;
          const isWanted = local.endsWith(time) || before < `${local.slice(0, 11)}${time}`;
          expect(isWanted).toBe(true);
        }
      }),
      { numRuns: 150 },
    );
  });

  test("continuing from an occurrence is the same as not stopping", () => {
    fc.assert(
      fc.property(calendars, days, fc.integer({ min: 0, max: 9 }), (given, now, at) => {
        const found = next(given, now.toISOString(), 20);
        const rest = occurrencesAfter(calendar(given), found[at] as Occurrence, holidays).take(
          19 - at,
        );
        expect(rest.toArray()).toEqual(found.slice(at + 1));
      }),
      { numRuns: 100 },
    );
  });
});

test("a time is read as written, and an invalid one is refused", () => {
  const found = readMoment("2026-12-31 09:00 Asia/Kolkata");
  expect(found).toEqual({
    local: "2026-12-31T09:00",
    zone: "Asia/Kolkata",
    at: new Date("2026-12-31T03:30:00Z"),
  });
  for (const text of [
    "2026-02-30 09:00 Asia/Kolkata",
    "2026-12-31 25:00 Asia/Kolkata",
    "2026-12-31 09:00 +05:30",
    "2026-12-31 09:00",
    "tomorrow",
  ]) {
    expect(readMoment(text)).toBeNull();
  }
});

test("a schedule that begins in the second of two equal hours is not due in the first", () => {
  const every = calendar({ rule: { every: "day" }, time: "01:45", zone: "America/New_York" });
  // The first 01:45 of that day is 05:45Z. At 06:30Z it is 01:30 for the second time.
  const since = new Date("2026-11-01T06:30:00Z");
  const due = nextOccurrence(every, { since, last: null }, holidays);
  expect(due?.at.toISOString()).toBe("2026-11-02T06:45:00.000Z");
});
