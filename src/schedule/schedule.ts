import { z } from "zod";
import { Calendar } from "#schedule/calendar.ts";
import { occurrencesAfter, type Occurrence, type Place, placeAt } from "#schedule/occurrences.ts";
import { HOURS_MAX } from "#schedule/release.ts";
import type { Holidays } from "#schedule/working-days.ts";

const Hours = z.number().int().min(1).max(HOURS_MAX);

/** A schedule as somebody writes it down. */
export const ScheduleGiven = z.strictObject({
  name: z.string().trim().min(3).max(100),
  calendar: Calendar,
  /** The batch whose rows are paid again each time, as other payouts. */
  list: z.string().max(40),
  /** How long before its time the batch is made, so that it can be approved. */
  lead_hours: z.number().int().min(0).max(HOURS_MAX).default(24),
  /** Made later than this after its time, a person must say so. */
  grace_hours: Hours.default(4),
  /** How long after its time the approval of its batch counts. */
  expires_hours: Hours.default(24),
});
export type ScheduleGiven = z.output<typeof ScheduleGiven>;

/** The next occurrence of a schedule that began or went on at `since`, after the last one that it had. */
export function nextOccurrence(
  calendar: Calendar,
  { since, last }: { readonly since: Date; readonly last: Place | null },
  holidays: Holidays,
): Occurrence | null {
  const begun = placeAt(since, calendar.zone);
  const place = last
    ? { day: later(begun.day, last.day), local: later(begun.local, last.local) }
    : begun;
  return occurrencesAfter(calendar, place, holidays).next().value ?? null;
}

const later = (one: string, other: string): string => (one > other ? one : other);

const HOUR_MS = 3_600_000;

/** Whether it is too late to make the batch of an occurrence without a person's word. */
export const isMissed = (sendAt: Date, graceHours: number, now: Date): boolean =>
  now.getTime() - sendAt.getTime() > graceHours * HOUR_MS;
