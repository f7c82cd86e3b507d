import { z } from "zod";
import { forges } from "#batch/visible.ts";
import { Calendar } from "#schedule/calendar.ts";
import {
  laterPlace,
  occurrencesAfter,
  type Occurrence,
  type Place,
  placeAt,
} from "#schedule/occurrences.ts";
import { HOURS_MAX } from "#schedule/release.ts";
import type { Holidays } from "#schedule/working-days.ts";

const Hours = z.number().int().min(1).max(HOURS_MAX);

/** In lower case, because some disks do not tell it from upper case. */
const Folder = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]{0,59}$/, "the name of a folder, such as salaries: a-z, 0-9, - and _");

/** A schedule as somebody writes it down. */
export const ScheduleGiven = z
  .strictObject({
    name: z
      .string()
      .trim()
      .min(3)
      .max(100)
      .refine((name) => !forges(name), "no control characters"),
    calendar: Calendar,
    /** The batch whose rows are paid again each time, as other payouts. */
    list: z.string().max(40).optional(),
    /** Although another schedule pays the same list, at other times. */
    beside: z.boolean().default(false),
    /** Where a file with the rows arrives each time. */
    folder: Folder.optional(),
    /** How long before its time the batch is made, so that it can be approved. */
    lead_hours: z.number().int().min(0).max(HOURS_MAX).default(24),
    /** Made later than this after its time, a person must say so. */
    grace_hours: Hours.default(4),
    /** How long after its time the approval of its batch counts. */
    expires_hours: Hours.default(24),
  })
  .refine(({ list, folder }) => (list === undefined) !== (folder === undefined), {
    path: ["list"],
    message: "the batch that is the list, or a folder: one of them",
  });
export type ScheduleGiven = z.output<typeof ScheduleGiven>;

/** The next occurrence of a schedule that began or went on at `since`, after the last one that it had. */
export function nextOccurrence(
  calendar: Calendar,
  { since, last }: { readonly since: Date; readonly last: Place | null },
  holidays: Holidays,
): Occurrence | null {
  const begun = placeAt(since, calendar.zone);
  const place = last ? laterPlace(begun, last) : begun;
  for (const occurrence of occurrencesAfter(calendar, place, holidays)) {
    // Within an hour that a clock shows twice, a later time on it may be an earlier one.
    if (occurrence.at > since) return occurrence;
  }
  return null;
}

/** Why the batch of an occurrence was not handed in for approval; null: it was. */
export function whyNotHandedIn({
  rejected,
  numbers,
}: {
  readonly rejected: number;
  readonly numbers: number;
}): string | null {
  if (rejected > 0) {
    const [rows, them] =
      rejected === 1 ? ["1 of its rows does", "it"] : [`${rejected} of its rows do`, "them"];
    return `${rows} not pass the check: repair ${them}, or go on without ${them}.`;
  }
  if (numbers === 0) return null;
  return "A spreadsheet held numbers where text belongs: compare them, and hand the batch in.";
}

const HOUR_MS = 3_600_000;

/** Whether it is too late to make the batch of an occurrence without a person's word. */
export const isMissed = (sendAt: Date, graceHours: number, now: Date): boolean =>
  now.getTime() - sendAt.getTime() > graceHours * HOUR_MS;
