/** The named periods of reports. */
export const REPORT_PERIODS = ["today", "yesterday", "this_month", "last_month"] as const;
export type ReportPeriod = (typeof REPORT_PERIODS)[number];

/** The first and the last day of a period. */
interface Days {
  readonly from: string;
  readonly to: string;
}

const DAY_MS = 86_400_000;

const dayBefore = (day: string): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) - DAY_MS).toISOString().slice(0, 10);

/** Returns the days of a named period, such as 2026-11-01 to 2026-11-28 for `this_month`. */
export function daysOfPeriod(period: ReportPeriod, today: string): Days {
  const monthStart = `${today.slice(0, 7)}-01`;
  const before = dayBefore(today);
  const lastMonthEnd = dayBefore(monthStart);
  switch (period) {
    case "today":
      return { from: today, to: today };
    case "yesterday":
      return { from: before, to: before };
    case "this_month":
      return { from: monthStart, to: today };
    case "last_month":
      return { from: `${lastMonthEnd.slice(0, 7)}-01`, to: lastMonthEnd };
  }
}
