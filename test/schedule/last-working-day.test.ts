/** The last day of a month on which the banks of all currencies of a batch are open. */
import { Temporal } from "temporal-polyfill";
import { expect, test } from "vitest";
import { lastWorkingDay } from "#schedule/working-days.ts";

const HOLIDAYS = new Map([["INR", new Set(["2026-11-30"])]]);

test.each([
  ["2026-11-05", ["THB"], "2026-11-30"],
  ["2026-11-05", ["INR"], "2026-11-27"],
  ["2026-11-05", ["INR", "THB"], "2026-11-27"],
  ["2026-10-01", ["THB"], "2026-10-30"],
  // The weekend is on Friday and Saturday in Bangladesh, and on Saturday and Sunday in Thailand.
  ["2026-10-01", ["BDT", "THB"], "2026-10-29"],
])("finds the last working day of the month of %s for %j", (day, currencies, last) => {
  expect(lastWorkingDay(Temporal.PlainDate.from(day), currencies, HOLIDAYS).toString()).toBe(last);
});
