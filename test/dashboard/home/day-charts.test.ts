import { expect, test } from "vitest";
import { chartDays } from "../../../dashboard/src/pages/reports/day-series.ts";
import { settledChart } from "../../../dashboard/src/pages/operations/home/day-charts.ts";

type Figures = Parameters<typeof settledChart>[0];

/** Thirty days up to 30 November, with payouts that settled on some of them. */
function figuresWith(settled: Readonly<Record<string, number>>): Figures {
  const days = Array.from({ length: 30 }, (_, at) => {
    const day = `2026-11-${String(at + 1).padStart(2, "0")}`;
    return { day, settled: settled[day] ?? 0, declined: 0, median_seconds: 1, p95_seconds: 1 };
  });
  const none = { settled: 0, declined: 0, median_seconds: null, p95_seconds: null };
  return { days, last_7_days: none, period: none, previous_period: none } as unknown as Figures;
}

test("begins a chart of Home at the first day with results, and says so", () => {
  const chart = settledChart(figuresWith({ "2026-11-27": 2, "2026-11-29": 3 }), 30);
  expect(chart.days).toEqual(["2026-11-27", "2026-11-28", "2026-11-29", "2026-11-30"]);
  expect(chart.series[0]?.values).toEqual([2, 0, 3, 0]);
  expect(chart.since).toBe("2026-11-27");
});

test("shows all days of a chart of Home whose first day has results", () => {
  const chart = settledChart(figuresWith({ "2026-11-01": 1, "2026-11-30": 1 }), 30);
  expect([chart.days.length, chart.since]).toEqual([30, null]);
});

test("begins a chart of Reports at the first day of its currency", () => {
  const items = [
    { day: "2026-11-02", currency: "INR" },
    { day: "2026-11-03", currency: "THB" },
  ];
  const report = { from: "2026-11-01", to: "2026-11-04", items };
  expect(chartDays(report, "THB")).toEqual({
    days: ["2026-11-03", "2026-11-04"],
    since: "2026-11-03",
  });
  expect(chartDays({ ...report, from: "2026-11-02" }, "INR").since).toBeNull();
});
