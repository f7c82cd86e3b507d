import { expect, test } from "vitest";
import { Calendar } from "#schedule/calendar.ts";
import { ruleSentence } from "#schedule/rule-sentence.ts";

const SENTENCES: readonly (readonly [object, string])[] = [
  [{ rule: { every: "once", date: "2026-12-31" } }, "Once, on 2026-12-31, at 09:00 Asia/Kolkata."],
  [
    { rule: { every: "day" }, shift: "after" },
    "Every day at 09:00 Asia/Kolkata; moved to the next working day if it falls on a weekend.",
  ],
  [
    { rule: { every: "week", on: ["fri", "mon", "wed"] } },
    "Every Monday, Wednesday and Friday at 09:00 Asia/Kolkata.",
  ],
  [
    { rule: { every: "week", on: ["fri"], weeks: 2, from: "2026-01-02" } },
    "Every 2 weeks on Friday, from 2026-01-02, at 09:00 Asia/Kolkata.",
  ],
  [{ rule: { every: "month", on: 5 } }, "On day 5 of every month at 09:00 Asia/Kolkata."],
  [
    { rule: { every: "month", on: 31 } },
    "On day 31 of every month, or on the last day of a shorter month, at 09:00 Asia/Kolkata.",
  ],
  [
    { rule: { every: "month_end" }, holidays: "INR", shift: "before" },
    "On the last day of every month at 09:00 Asia/Kolkata; moved to the previous working day if it falls on a weekend or INR holiday.",
  ],
  [
    { rule: { every: "last_working_day" }, holidays: "INR" },
    "On the last working day of every month at 09:00 Asia/Kolkata; weekends and INR holidays are not working days.",
  ],
];

test.each(SENTENCES)("%j", (given, sentence) => {
  expect(ruleSentence(Calendar.parse({ time: "09:00", zone: "Asia/Kolkata", ...given }))).toBe(
    sentence,
  );
});

test("refuses a calendar rule without a meaning", () => {
  const base = { time: "09:00", zone: "Asia/Kolkata" };
  const refused = [
    { ...base, rule: { every: "week", on: ["fri"], weeks: 2 } },
    { ...base, rule: { every: "month", on: 32 } },
    { ...base, rule: { every: "day" }, time: "24:00" },
    { ...base, rule: { every: "day" }, zone: "+05:30" },
    { ...base, rule: { every: "day" }, zone: "Mars/Olympus" },
  ];
  expect(refused.filter((given) => Calendar.safeParse(given).success)).toEqual([]);
});
