import { expect, test } from "vitest";
import { daysOfPeriod } from "#operations/report-period.ts";

test.each([
  ["today", "2026-03-01", "2026-03-01", "2026-03-01"],
  ["yesterday", "2026-03-01", "2026-02-28", "2026-02-28"],
  ["this_month", "2026-11-28", "2026-11-01", "2026-11-28"],
  ["this_month", "2026-11-01", "2026-11-01", "2026-11-01"],
  ["last_month", "2026-03-31", "2026-02-01", "2026-02-28"],
  ["last_month", "2026-01-15", "2025-12-01", "2025-12-31"],
] as const)("%s on %s is %s to %s", (period, today, from, to) => {
  expect(daysOfPeriod(period, today)).toEqual({ from, to });
});
