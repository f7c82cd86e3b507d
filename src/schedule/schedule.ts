import { z } from "zod";
import { canForgeLines } from "#base/invisible-characters.ts";
import { AMOUNT_STYLE_NAMES } from "#money/parse.ts";
import { Calendar } from "#schedule/calendar.ts";
import {
  type Occurrence,
  type OccurrencePosition,
  occurrencesSince,
} from "#schedule/next-occurrences.ts";
import { HOURS_MAX } from "#schedule/release.ts";
import type { Holidays } from "#schedule/working-days.ts";

const Hours = z.number().int().min(1).max(HOURS_MAX);

/** Lower case only, because some disks do not distinguish case. */
const Folder = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]{0,59}$/, "a folder name such as salaries (a-z, 0-9, - and _)");

const ScheduleFields = z.strictObject({
  name: z
    .string()
    .trim()
    .min(3)
    .max(100)
    .refine((name) => !canForgeLines(name), "no control characters"),
  calendar: Calendar,
  /** The batch whose rows are paid again each time, as new payouts. */
  list: z.string().max(40).optional(),
  /** True: save the schedule even if another one pays the same list at other times. */
  allow_second: z.boolean().default(false),
  /** The folder in which a file with the rows arrives each time. */
  folder: Folder.optional(),
  /** The number format of the amounts in the files of the folder. Absent: each file decides. */
  amounts: z.enum(AMOUNT_STYLE_NAMES).optional(),
  /** The currency of all rows, for files in the folder without a currency column. */
  currency: z
    .string()
    .regex(/^[A-Z0-9-]{2,20}$/, "a currency code such as INR")
    .optional(),
  /**
   * Lead time: hours before the occurrence at which its batch is created, so that it can be
   * approved.
   */
  lead_hours: z.number().int().min(0).max(HOURS_MAX),
  /**
   * Grace period: hours after the occurrence in which its batch still may be created. After that a
   * person must confirm.
   */
  grace_hours: Hours,
  /** Hours after the occurrence for which the approval of its batch is valid. */
  expires_hours: Hours,
});

const hasOneSource = ({
  list,
  folder,
}: {
  list?: string | undefined;
  folder?: string | undefined;
}) => (list === undefined) !== (folder === undefined);
const ONE_SOURCE = { path: ["list"], message: "either a list (a batch) or a folder" };
/** Requires a folder for a setting that says how its files are read. */
const folderOnly =
  (setting: "amounts" | "currency") =>
  ({
    folder,
    ...settings
  }: {
    folder?: string | undefined;
    amounts?: string | undefined;
    currency?: string | undefined;
  }) =>
    settings[setting] === undefined || folder !== undefined;
const FOLDER_FORMAT = {
  path: ["amounts"],
  message: "a format only for a folder: the rows of a list keep theirs",
};
const FOLDER_CURRENCY = {
  path: ["currency"],
  message: "a currency only for a folder: the rows of a list have their own",
};
const { lead_hours: lead, grace_hours: grace, expires_hours: expires } = ScheduleFields.shape;

/** A schedule as given by a user. */
export const ScheduleInput = ScheduleFields.extend({
  lead_hours: lead.default(24),
  grace_hours: grace.default(4),
  expires_hours: expires.default(24),
})
  .refine(hasOneSource, ONE_SOURCE)
  .refine(folderOnly("amounts"), FOLDER_FORMAT)
  .refine(folderOnly("currency"), FOLDER_CURRENCY);

/** All settings of a schedule after an edit. */
export const ScheduleEdit = ScheduleFields.extend({
  /** The version that the editor has seen. */
  version: z.number().int().min(1),
  /** Date of the next occurrence, to save the edit even if it may pay a period again. */
  allow_repeat: z.iso.date().optional(),
  /** Date of the planned occurrence, to save the edit even if this one no longer takes place. */
  allow_skip: z.iso.date().optional(),
})
  .refine(hasOneSource, ONE_SOURCE)
  .refine(folderOnly("amounts"), FOLDER_FORMAT)
  .refine(folderOnly("currency"), FOLDER_CURRENCY);
export type ScheduleEdit = z.output<typeof ScheduleEdit>;
export type ScheduleInput = z.output<typeof ScheduleInput>;

/**
 * Returns the next occurrence of a schedule that was started, resumed or edited at `since`, after
 * its last occurrence. Null: there is none.
 */
export function nextOccurrence(
  calendar: Calendar,
  from: { readonly since: Date; readonly last: OccurrencePosition | null },
  holidays: Holidays,
): Occurrence | null {
  const [next = null] = occurrencesSince(calendar, from, holidays).take(1);
  return next;
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
