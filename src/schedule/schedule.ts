import { z } from "zod";
import { canForgeLines } from "#base/invisible-characters.ts";
import { Calendar } from "#schedule/calendar.ts";
import {
  laterPosition,
  occurrencesAfter,
  type Occurrence,
  type OccurrencePosition,
  positionAt,
} from "#schedule/next-occurrences.ts";
import { HOURS_MAX } from "#schedule/release.ts";
import type { Holidays } from "#schedule/working-days.ts";

const Hours = z.number().int().min(1).max(HOURS_MAX);

/** Lower case only, because some disks do not distinguish case. */
const Folder = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]{0,59}$/, "a folder name such as salaries (a-z, 0-9, - and _)");

/** A schedule as given by a user. */
export const ScheduleInput = z
  .strictObject({
    name: z
      .string()
      .trim()
      .min(3)
      .max(100)
      .refine((name) => !canForgeLines(name), "no control characters"),
    calendar: Calendar,
    /** The batch whose rows are paid again each time, as new payouts. */
    list: z.string().max(40).optional(),
    /** True: create the schedule even if another one pays the same list at other times. */
    allow_second: z.boolean().default(false),
    /** The folder in which a file with the rows arrives each time. */
    folder: Folder.optional(),
    /**
     * Lead time: hours before the occurrence at which its batch is created, so that it can be
     * approved.
     */
    lead_hours: z.number().int().min(0).max(HOURS_MAX).default(24),
    /**
     * Grace period: hours after the occurrence in which its batch still may be created. After that
     * a person must confirm.
     */
    grace_hours: Hours.default(4),
    /** Hours after the occurrence for which the approval of its batch is valid. */
    expires_hours: Hours.default(24),
  })
  .refine(({ list, folder }) => (list === undefined) !== (folder === undefined), {
    path: ["list"],
    message: "either a list (a batch) or a folder",
  });
export type ScheduleInput = z.output<typeof ScheduleInput>;

/**
 * Returns the next occurrence of a schedule that was started or resumed at `since`, after its last
 * occurrence. Null: there is none.
 */
export function nextOccurrence(
  calendar: Calendar,
  { since, last }: { readonly since: Date; readonly last: OccurrencePosition | null },
  holidays: Holidays,
): Occurrence | null {
  const begun = positionAt(since, calendar.zone);
  const place = last ? laterPosition(begun, last) : begun;
  for (const occurrence of occurrencesAfter(calendar, place, holidays)) {
    // When clocks are put back, a later local time of the repeated hour may be an earlier moment.
    if (occurrence.at > since) return occurrence;
  }
  return null;
}

/** States why the batch of an occurrence was not sent for approval. Null: it was. */
export function whyNotSentForApproval({
  rejected,
  numbers,
}: {
  readonly rejected: number;
  readonly numbers: number;
}): string | null {
  if (rejected > 0) {
    const [rows, them] =
      rejected === 1 ? ["1 of its rows has", "it"] : [`${rejected} of its rows have`, "them"];
    return `${rows} errors: correct ${them}, or continue without ${them}.`;
  }
  if (numbers === 0) return null;
  return "A spreadsheet stored text values as numbers: compare them with their source, then send the batch for approval.";
}

const HOUR_MS = 3_600_000;

/**
 * Returns whether the grace period of an occurrence has passed, so that its batch is created only
 * if a person confirms.
 */
export const isMissed = (sendAt: Date, graceHours: number, now: Date): boolean =>
  now.getTime() - sendAt.getTime() > graceHours * HOUR_MS;
