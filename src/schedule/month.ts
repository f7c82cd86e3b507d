import { Temporal } from "temporal-polyfill";
import type { Calendar } from "#schedule/calendar.ts";
import {
  afterDayOf,
  laterPosition,
  type Occurrence,
  type OccurrencePosition,
  occurrencesAfter,
  positionAt,
} from "#schedule/next-occurrences.ts";
import type { Holidays } from "#schedule/working-days.ts";

/** Returns the days of a month, such as "2026-12", as "2026-12-01" and so on. */
export function daysOfMonth(month: string): readonly string[] {
  const { daysInMonth } = Temporal.PlainYearMonth.from(month);
  return Array.from(
    { length: daysInMonth },
    (_, at) => `${month}-${String(at + 1).padStart(2, "0")}`,
  );
}

/**
 * Returns the occurrences of a rule in a month, from now on, by local time of its zone.
 *
 * @param last position of the occurrences in the ledger, which are not repeated. Null: there is
 * none.
 */
export function occurrencesInMonth(
  month: string,
  calendar: Calendar,
  { now, last }: { readonly now: Date; readonly last: OccurrencePosition | null },
  holidays: Holidays,
): readonly Occurrence[] {
  const current = positionAt(now, calendar.zone);
  const begun = last ? laterPosition(current, afterDayOf(last)) : current;
  const first = `${month}-01`;
  // A day of the previous month may be moved into this one.
  const before = Temporal.PlainDate.from(first).subtract({ days: 32 }).toString();
  const after = {
    day: begun.day > before ? begun.day : before,
    local: begun.local > first ? begun.local : first,
  };
  const found: Occurrence[] = [];
  for (const occurrence of occurrencesAfter(calendar, after, holidays)) {
    if (occurrence.local.slice(0, 7) > month) break;
    found.push(occurrence);
  }
  return found;
}
