import { z } from "zod";
import type { ApiOperation } from "#api/app/operation.ts";
import { Timestamp, reasonText } from "#api/app/shapes.ts";
import { isZone } from "#schedule/calendar.ts";
import { readMoment } from "#schedule/local-time.ts";
import { HOURS_MAX } from "#schedule/release.ts";

const BatchParams = z.object({ id: z.string().max(40) });
const Reason = reasonText(3, 500);

/** "2026-12-31 09:00 Asia/Kolkata" */
const MomentText = z
  .string()
  .max(100)
  .refine((text) => readMoment(text) !== null, "a time such as 2026-12-31 09:00 Asia/Kolkata");
const Hours = z.number().int().min(1).max(HOURS_MAX);

/** The send time chosen by an approver. */
export const SendTimeInput = z.union(
  [z.literal("now"), z.strictObject({ at: MomentText, expires_hours: Hours.optional() })],
  `"now", or a time such as { "at": "2026-12-31 09:00 Asia/Kolkata" }`,
);

export const SendTimeView = z.object({
  at: Timestamp,
  /** "2026-12-31 09:00 Asia/Kolkata" */
  says: z.string(),
  expires_hours: z.number().int(),
  /** When the batch was released. */
  released_at: Timestamp.nullable(),
  /** Why the batch was held back; a person must decide. */
  held_back: z.string().nullable(),
});

export const SEND_TIME_API = {
  "GET /api/batches/:id/send-time": {
    permission: "read",
    summary: "Checks a send time without setting it",
    params: BatchParams,
    query: z.strictObject({ at: MomentText }),
    answer: z.object({
      at: Timestamp,
      /** The effective time: a time skipped by a clock change moves to the end of the gap. */
      says: z.string(),
      has_passed: z.boolean(),
      /** A sentence for each lane whose cut-off it misses. */
      misses: z.array(z.string()),
    }),
  },
  "GET /api/batches/:id/last-working-day": {
    permission: "read",
    summary:
      "Returns the last working day of this month for the currencies of a batch or, if that day has passed, the last working day of next month",
    params: BatchParams,
    query: z.strictObject({ zone: z.string().max(60).refine(isZone, "a time zone such as UTC") }),
    answer: z.object({ date: z.iso.date() }),
  },
  "POST /api/batches/:id/reschedule": {
    permission: "operate",
    summary: "Reschedules a batch to a later time",
    params: BatchParams,
    /**
     * The new time must be later than the scheduled one. The expiry of the approval moves with it.
     */
    body: z.strictObject({ at: MomentText, reason: Reason }),
    answer: "nothing",
  },
  "POST /api/batches/:id/send-now": {
    permission: "approve",
    summary: "Sends a scheduled or held-back batch now if its rows still pass validation",
    params: BatchParams,
    body: z.strictObject({ reason: Reason }),
    answer: "nothing",
    stepUp: true,
    keys: false,
  },
} as const satisfies Record<string, ApiOperation>;
