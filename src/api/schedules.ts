import { z } from "zod";
import type { Operation } from "#api/operation.ts";
import { Timestamp, why } from "#api/shapes.ts";
import { Calendar } from "#schedule/calendar.ts";
import { ScheduleGiven } from "#schedule/schedule.ts";

const Params = z.object({ id: z.string().max(40) });
const Reason = z.strictObject({ reason: why(3, 500) });

const Next = z.object({
  at: Timestamp,
  /** "2026-12-31 09:00 Asia/Kolkata" */
  says: z.string(),
  /** A sentence for each lane whose cut-off it misses. */
  misses: z.array(z.string()),
});

const OCCURRENCE_STATES = ["planned", "due", "made", "missed", "failed", "skipped"] as const;

const Occurrence = z.object({
  /** The day that the rule names; it names the occurrence, too. */
  day: z.string(),
  at: Timestamp,
  says: z.string(),
  state: z.enum(OCCURRENCE_STATES),
  batch_id: z.string().nullable(),
  why: z.string().nullable(),
});

const Schedule = z.object({
  id: z.string(),
  name: z.string(),
  /** The rule as people say it. */
  says: z.string(),
  calendar: Calendar,
  /** The batch whose rows it pays again; null: a file arrives. */
  list: z.string().nullable(),
  /** The folder in which the file arrives; null: there is a list. */
  folder: z.string().nullable(),
  state: z.enum(["active", "paused", "removed"]),
  reason: z.string().nullable(),
  lead_hours: z.number().int(),
  grace_hours: z.number().int(),
  expires_hours: z.number().int(),
  maker: z.string(),
  created_at: Timestamp,
  next: z.array(Next),
  /** The newest first; the one to come among them. */
  occurrences: z.array(Occurrence),
});

export const SCHEDULE_API = {
  "GET /api/schedules": {
    may: "read",
    summary: "The schedules, with what they did and what comes next",
    answer: z.object({ items: z.array(Schedule) }),
  },
  "GET /api/schedules/month": {
    may: "read",
    summary: "What goes out on which day of a month, and the days on which banks are closed",
    query: z.strictObject({
      month: z.string().regex(/^20\d\d-(0[1-9]|1[0-2])$/, "a month such as 2026-12"),
    }),
    answer: z.object({
      month: z.string(),
      /** Until when the banks of a currency or lane take the payments of a day. */
      cut_offs: z.array(z.object({ of: z.string(), time: z.string(), zone: z.string() })),
      days: z.array(
        z.object({
          date: z.string(),
          /** Whose banks have a holiday. */
          closed: z.array(z.string()),
          times: z.array(
            z.object({
              /** "2026-12-31 09:00 Asia/Kolkata" */
              says: z.string(),
              /** Of the schedule, or of a batch that a person has given this time: its file, where it has no name. */
              name: z.string(),
              schedule_id: z.string().nullable(),
              batch_id: z.string().nullable(),
              state: z.enum([...OCCURRENCE_STATES, "waits", "out", "stuck"]),
              misses: z.array(z.string()),
            }),
          ),
        }),
      ),
    }),
  },
  "GET /api/schedules/:id": {
    may: "read",
    summary: "A schedule, also one that was removed, with more of what it did",
    params: Params,
    answer: Schedule,
  },
  "POST /api/schedules": {
    may: "upload",
    summary:
      "Make a batch again and again, out of a list or of a file that arrives; each is approved like any other",
    body: ScheduleGiven,
    answer: Schedule,
    creates: true,
  },
  "POST /api/schedules/try": {
    may: "read",
    summary: "A rule in a sentence and its next times, before it is saved",
    body: z.strictObject({ calendar: Calendar, list: z.string().max(40).optional() }),
    answer: z.object({ says: z.string(), next: z.array(Next) }),
  },
  "POST /api/schedules/:id/pause": {
    may: "operate",
    summary: "Make no batch until it is resumed",
    params: Params,
    body: Reason,
    answer: "nothing",
  },
  "POST /api/schedules/:id/resume": {
    may: "operate",
    summary: "Go on; what was due meanwhile is left out",
    params: Params,
    body: Reason,
    answer: "nothing",
  },
  "POST /api/schedules/:id/remove": {
    may: "operate",
    summary: "End a schedule; its batches stay",
    params: Params,
    body: Reason,
    answer: "nothing",
  },
  "POST /api/schedules/:id/occurrences/:day/decide": {
    may: "operate",
    summary: "Make the batch of an occurrence that was missed all the same, or leave it out",
    params: z.object({ ...Params.shape, day: z.iso.date() }),
    body: z.strictObject({ ...Reason.shape, word: z.enum(["make", "skip"]) }),
    answer: "nothing",
  },
} as const satisfies Record<string, Operation>;
