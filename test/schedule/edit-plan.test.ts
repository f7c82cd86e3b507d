/** The effect of an edit: the occurrences that stay, the next one, and the confirmations needed. */
import { expect, test } from "vitest";
import { Calendar } from "#schedule/calendar.ts";
import { planEdit, type StoredOccurrences } from "#schedule/edit-plan.ts";

/** Friday, 12:30 in Kolkata. */
const NOW = new Date("2026-11-27T07:00:00Z");
const ZONE = "Asia/Kolkata";
const calendar = (change: object = {}) =>
  Calendar.parse({ rule: { every: "day" }, time: "15:00", zone: ZONE, ...change });
const momentOf = (day: string, time: string) => ({
  day,
  local: `${day}T${time}`,
  zone: ZONE,
  at: new Date(`${day}T${time}:00+05:30`),
});
const none: StoredOccurrences = {
  last: null,
  planned: null,
  undecided: null,
  gapDays: 0,
  now: NOW,
};

const plan = (
  edited: Calendar,
  stored: Partial<StoredOccurrences> = {},
  before: Calendar = calendar(),
  more: { readonly isActive?: boolean; readonly leadHours?: number; readonly since?: Date } = {},
) => {
  const schedule = { calendar: before, leadHours: 0, since: NOW, isActive: true, ...more };
  return planEdit(schedule, { ...none, ...stored }, edited, new Map());
};
const planned = (day: string, time = "15:00") => {
  const moment = momentOf(day, time);
  return { ...moment, createAt: moment.at };
};

test("asks before it skips the day whose new time has passed", () => {
  const today = planned("2026-11-27");
  const earlier = plan(calendar({ time: "09:00" }), { planned: today });
  expect(earlier.next?.local).toBe("2026-11-28T09:00");
  expect(earlier.skips?.day).toBe("2026-11-27");
  expect(earlier.skips?.why).toBe(
    "The occurrence planned for 2026-11-27 15:00 Asia/Kolkata will not take place. The next one is 2026-11-28 09:00 Asia/Kolkata.",
  );
  const later = plan(calendar({ time: "16:00" }), { planned: today });
  expect(later).toMatchObject({ skips: null, repeats: null, next: { local: "2026-11-27T16:00" } });
});

test("asks before a new rule skips a planned occurrence", () => {
  const monthly = (on: number) => calendar({ rule: { every: "month", on } });
  const before = { planned: planned("2026-11-28") };
  expect(plan(monthly(5), before, monthly(28)).skips?.why).toContain("2026-12-05");
  expect(
    plan(calendar({ rule: { every: "once", date: "2026-01-01" } }), before).skips?.why,
  ).toContain("There is no later one.");
});

test("asks before a new rule pays a period again", () => {
  const monthly = (on: number) => calendar({ rule: { every: "month", on } });
  const stored = {
    last: momentOf("2026-11-25", "15:00"),
    planned: planned("2026-12-25"),
  };
  expect(plan(monthly(28), stored, monthly(25)).repeats).toEqual({
    day: "2026-11-28",
    why: expect.stringContaining("2026-11-25 15:00"),
  });
  expect(plan(monthly(26), stored, monthly(25)).repeats).toBeNull();
});

test("keeps an occurrence of the stored rule that is due, and does not pay its period again", () => {
  const monthly = (on: number) => calendar({ rule: { every: "month", on } });
  const due = { ...planned("2026-11-28"), createAt: NOW };
  const { reached, next, repeats, skips } = plan(monthly(29), { planned: due }, monthly(28));
  expect(reached).toMatchObject([{ local: "2026-11-28T15:00" }]);
  expect(next?.local).toBe("2026-11-29T15:00");
  expect(repeats?.why).toContain("2026-11-28 15:00");
  expect(skips).toBeNull();
});

test("keeps the occurrences that became due while no process was running", () => {
  const stopped = { since: new Date("2026-11-25T07:00:00Z") };
  const { reached, next } = plan(calendar({ time: "16:00" }), {}, calendar(), stopped);
  expect(reached.map(({ day }) => day)).toEqual(["2026-11-25", "2026-11-26"]);
  expect(next?.local).toBe("2026-11-27T16:00");
});

test("plans no second occurrence on a working day to which an earlier one was moved", () => {
  const shifted = (time: string) => calendar({ time, shift: "after" });
  const saturday = { day: "2026-11-28", local: "2026-11-30T09:00" };
  const { next } = plan(shifted("10:00"), { last: saturday }, shifted("09:00"));
  expect(next?.local).toBe("2026-12-01T10:00");
});

test("neither keeps nor skips an occurrence of a paused schedule", () => {
  const paused = { isActive: false, since: new Date("2026-11-20T07:00:00Z") };
  const result = plan(calendar({ time: "09:00" }), {}, calendar(), paused);
  expect(result).toMatchObject({ reached: [], skips: null, repeats: null });
});
