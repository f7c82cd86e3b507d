import { expect, test } from "vitest";
import { chartDays as homeDays } from "../../../dashboard/src/pages/operations/home/chart-days.ts";
import { chartDays as reportDays } from "../../../dashboard/src/pages/reports/day-series.ts";

/** Days of November 2026 with their numbers of settled payouts. */
const daysWith = (...settled: readonly number[]) =>
  settled.map((count, at) => ({ day: `2026-11-0${at + 1}`, settled: count, declined: 0 }));

test("begins a chart of Home at the first day with results", () => {
  const { shown, since } = homeDays(daysWith(0, 0, 2, 0, 3), 4);
  expect(shown.map(({ settled }) => settled)).toEqual([2, 0, 3]);
  expect(since).toBe("2026-11-03");
});

test("begins a chart of Home at a first day with only declined payouts", () => {
  const [first, second] = daysWith(0, 1);
  const days = first && second ? [first, { ...first, declined: 1 }, second] : [];
  expect(homeDays(days, 3).shown).toHaveLength(2);
});

test("shows all days of a chart of Home whose first day has results", () => {
  expect(homeDays(daysWith(9, 1, 0, 3), 3)).toEqual({
    shown: daysWith(9, 1, 0, 3).slice(1),
    since: null,
  });
});

test("begins a chart of Reports at the first day of its currency", () => {
  const items = [
    { day: "2026-11-02", currency: "INR" },
    { day: "2026-11-03", currency: "THB" },
  ];
  const report = { from: "2026-11-01", to: "2026-11-04", items };
  expect(reportDays(report, "THB")).toEqual({
    days: ["2026-11-03", "2026-11-04"],
    since: "2026-11-03",
  });
  expect(reportDays({ ...report, from: "2026-11-02" }, "INR").since).toBeNull();
});
