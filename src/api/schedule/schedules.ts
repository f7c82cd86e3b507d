import { z } from "zod";
import type { ApiOperation } from "#api/app/operation.ts";
import { Amount, Timestamp, reasonText } from "#api/app/shapes.ts";
import { AMOUNT_STYLE_NAMES } from "#money/parse.ts";
import { Calendar } from "#schedule/calendar.ts";
import { ScheduleEdit, ScheduleInput } from "#schedule/schedule.ts";

const Params = z.object({ id: z.string().max(40) });
const Reason = z.strictObject({ reason: reasonText(3, 500) });

const Next = z.object({
  at: Timestamp,
  /** "2026-12-31 09:00 Asia/Kolkata" */
  says: z.string(),
  /** A sentence for each lane whose cut-off it misses. */
  misses: z.array(z.string()),
});

/** An effect of an edit that the editor must confirm with its date. */
const Effect = z.object({ day: z.string(), why: z.string() });

const AmountFormats = z.object({
  values: z.int(),
  proposed: z.string().nullable(),
  formats: z
    .array(
      z.object({
        format: z.string(),
        fits: z.int(),
        only: z.int(),
        totals: z.array(Amount).readonly(),
        examples: z
          .array(
            z.object({ text: z.string(), currency: z.string(), amount: z.string().nullable() }),
          )
          .readonly(),
      }),
    )
    .readonly(),
});

const OCCURRENCE_STATES = ["planned", "due", "created", "missed", "failed", "skipped"] as const;

/**
 * States of a batch with a send time. `unapproved`: it is sent only if it is approved. `blocked`:
 * it can be approved only after somebody gives a reason for its exact duplicates.
 */
export const TIMED_BATCH_STATES = [
  "scheduled",
  "unapproved",
  "blocked",
  "paused",
  "held_back",
  "released",
] as const;

const Occurrence = z.object({
  /** The day given by the rule, which identifies the occurrence. */
  day: z.string(),
  at: Timestamp,
  says: z.string(),
  state: z.enum(OCCURRENCE_STATES),
  batch_id: z.string().nullable(),
  /** Exact duplicates block its batch until somebody gives a reason. */
  needs_duplicate_reason: z.boolean(),
  why: z.string().nullable(),
  /**
   * The amount formats between which somebody must choose for its file, by editing the schedule;
   * null if there are none.
   */
  amounts: AmountFormats.nullable(),
});

const Schedule = z.object({
  id: z.string(),
  name: z.string(),
  /** The rule as a sentence. */
  says: z.string(),
  /** A sentence if no bank holidays are configured for the rule; null if they are. */
  note: z.string().nullable(),
  calendar: Calendar,
  /** The batch whose rows the schedule pays; null if files arrive. */
  list: z.string().nullable(),
  /** The rows that each occurrence pays; null if files arrive. */
  list_batch: z
    .object({ name: z.string(), payouts: z.number().int(), totals: z.array(Amount) })
    .nullable(),
  /** The folder in which files arrive; null if the schedule pays a list. */
  folder: z.string().nullable(),
  /** The number format of the files; null if each file decides, or the schedule pays a list. */
  amounts: z.enum(AMOUNT_STYLE_NAMES).nullable(),
  /** The currency of all rows, for files without a currency column; null if none was chosen. */
  currency: z.string().nullable(),
  state: z.enum(["active", "paused", "removed"]),
  reason: z.string().nullable(),
  lead_hours: z.number().int(),
  grace_hours: z.number().int(),
  expires_hours: z.number().int(),
  maker: z.string(),
  /** Counts the changes by people; an edit names the version that the editor has seen. */
  version: z.number().int(),
  created_at: Timestamp,
  next: z.array(Next),
  /** Newest first, including the next one. */
  occurrences: z.array(Occurrence),
  /**
   * The occurrences that need a decision, by day. After a restore, they include coming ones that
   * may have been paid in the lost history.
   */
  undecided: z.array(
    z.object({
      day: z.iso.date(),
      at: Timestamp,
      says: z.string(),
      state: z.enum(["missed", "failed", "planned"]),
    }),
  ),
});

export const SCHEDULE_API = {
  "GET /api/schedules": {
    permission: "read",
    summary: "Lists schedules with their recent and upcoming occurrences",
    answer: z.object({
      items: z.array(Schedule),
      /** The currencies whose bank holidays are configured. */
      holiday_currencies: z.array(z.string()),
    }),
  },
  "GET /api/schedules/month": {
    permission: "read",
    summary: "Returns the scheduled batches and bank holidays of a month",
    query: z.strictObject({
      month: z.string().regex(/^20\d\d-(0[1-9]|1[0-2])$/, "a month such as 2026-12"),
    }),
    answer: z.object({
      month: z.string(),
      /** The cut-off times of a currency or lane. */
      cut_offs: z.array(z.object({ of: z.string(), time: z.string(), zone: z.string() })),
      days: z.array(
        z.object({
          date: z.string(),
          /** The currencies whose banks are closed. */
          closed: z.array(z.string()),
          times: z.array(
            z.object({
              /** "2026-12-31 09:00 Asia/Kolkata" */
              says: z.string(),
              /**
               * The name of the schedule, or of a batch scheduled by a person (its file if it has
               * no name).
               */
              name: z.string(),
              schedule_id: z.string().nullable(),
              batch_id: z.string().nullable(),
              state: z.enum([...OCCURRENCE_STATES, ...TIMED_BATCH_STATES]),
              misses: z.array(z.string()),
            }),
          ),
        }),
      ),
    }),
  },
  "GET /api/schedules/:id": {
    permission: "read",
    summary: "Returns a schedule, including a removed one, with its history",
    params: Params,
    answer: Schedule,
  },
  "POST /api/schedules": {
    permission: "upload",
    summary:
      "Adds a schedule that creates batches from a list or from incoming files; each batch requires approval",
    body: ScheduleInput,
    answer: Schedule,
    creates: true,
  },
  /** For the maker of the schedule, and users with the operate permission. */
  "PUT /api/schedules/:id": {
    permission: "read",
    summary:
      "Replaces the settings of a schedule for future batches; existing batches keep their rows and send times. Requires the operate permission, or the upload permission if you created the schedule",
    params: Params,
    body: ScheduleEdit,
    answer: Schedule,
  },
  "POST /api/schedules/preview": {
    permission: "read",
    summary: "Previews a schedule rule: returns its description and next occurrences",
    body: z.strictObject({
      calendar: Calendar,
      list: z.string().max(40).optional(),
      /** The schedule that is being edited. */
      schedule: z.string().max(40).optional(),
      /** The lead time. Default: that of the edited schedule, or 24 hours. */
      lead_hours: ScheduleEdit.shape.lead_hours.optional(),
    }),
    answer: z.object({
      says: z.string(),
      note: z.string().nullable(),
      next: z.array(Next),
      /** The first batch that the rule creates from the list; null without a list. */
      first_batch: z
        .object({
          name: z.string(),
          payouts: z.number().int(),
          totals: z.array(Amount),
          /** Its send time, as text. */
          says: z.string(),
          /** The time of its creation, as text; null: as soon as the schedule is saved. */
          created_says: z.string().nullable(),
        })
        .nullable(),
      /** Why the first batch may repeat payouts of the list's own batch; null if not. */
      collision: z.string().nullable(),
      /** Why the edited rule may pay a period again; null if not. */
      repeats: Effect.nullable(),
      /** The planned occurrence that the edit skips; null if there is none. */
      skips: Effect.nullable(),
    }),
  },
  "POST /api/schedules/:id/pause": {
    permission: "operate",
    summary: "Pauses a schedule",
    params: Params,
    body: Reason,
    answer: "nothing",
  },
  "POST /api/schedules/:id/resume": {
    permission: "operate",
    summary: "Resumes a schedule; occurrences that were due while it was paused are skipped",
    params: Params,
    body: Reason,
    answer: "nothing",
  },
  "POST /api/schedules/:id/remove": {
    permission: "operate",
    summary: "Removes a schedule; its batches are kept",
    params: Params,
    body: Reason,
    answer: "nothing",
  },
  "POST /api/schedules/:id/occurrences/:day/decide": {
    permission: "operate",
    summary: "Creates the batch for a missed occurrence or skips the occurrence",
    params: z.object({ ...Params.shape, day: z.iso.date() }),
    body: z.strictObject({ ...Reason.shape, decision: z.enum(["create", "skip"]) }),
    answer: "nothing",
  },
  "POST /api/schedules/:id/decide": {
    permission: "operate",
    summary:
      "Decides about every undecided occurrence of a schedule: creates their batches, each when it is due, or skips them",
    params: Params,
    body: z.strictObject({
      ...Reason.shape,
      decision: z.enum(["create", "skip"]),
      /** The undecided days that you have seen; the decision is refused if they have changed. */
      days: z.array(z.iso.date()).min(1).max(1_000),
    }),
    answer: "nothing",
  },
} as const satisfies Record<string, ApiOperation>;
