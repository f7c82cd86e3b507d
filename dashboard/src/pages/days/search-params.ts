import { textParams } from "../../base/list/text-params.ts";

/** The lane and month of the calendar, from the page address. */
export interface DaysSearch {
  readonly lane?: string;
  readonly month?: string;
}

/** Keeps the lane and month of a page address. */
export const daysSearch = (given: Record<string, unknown>): DaysSearch =>
  textParams(given, ["lane", "month"]);

/** The lane and version of a day, from the page address. */
export interface DaySearch {
  readonly lane?: string;
  readonly version?: string;
}

/** Keeps the lane and version of a page address. */
export const daySearch = (given: Record<string, unknown>): DaySearch =>
  textParams(given, ["lane", "version"]);
