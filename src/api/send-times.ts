import { z } from "zod";
import type { Operation } from "#api/operation.ts";
import { Timestamp, why } from "#api/shapes.ts";
import { readMoment } from "#schedule/local-time.ts";
import { HOURS_MAX } from "#schedule/release.ts";

const BatchParams = z.object({ id: z.string().max(40) });
const Reason = why(3, 500);

/** "2026-12-31 09:00 Asia/Kolkata" */
const MomentText = z
  .string()
  .max(100)
  .refine((text) => readMoment(text) !== null, "a time such as 2026-12-31 09:00 Asia/Kolkata");
const Hours = z.number().int().min(1).max(HOURS_MAX);

/** When a batch goes out, as an approver says it. */
export const SendGiven = z.union(
  [z.literal("now"), z.strictObject({ at: MomentText, expires_hours: Hours.optional() })],
  `"now", or a time such as { "at": "2026-12-31 09:00 Asia/Kolkata" }`,
);

export const SendView = z.object({
  at: Timestamp,
  /** "2026-12-31 09:00 Asia/Kolkata" */
  says: z.string(),
  expires_hours: z.number().int(),
  /** When nothing kept it from being sent any more. */
  let_go_at: Timestamp.nullable(),
  /** Why it did not go out when its time came; a person decides. */
  stuck: z.string().nullable(),
});

export const SEND_TIME_API = {
  "GET /api/batches/:id/send-time": {
    may: "read",
    summary: "What is to be known of a time before a batch is given it",
    params: BatchParams,
    query: z.strictObject({ at: MomentText }),
    answer: z.object({
      at: Timestamp,
      /** As it will be: a time that the clocks jump over is the first one after the gap. */
      says: z.string(),
      is_over: z.boolean(),
      /** A sentence for each lane whose cut-off it misses. */
      misses: z.array(z.string()),
    }),
  },
  "POST /api/batches/:id/put-off": {
    may: "operate",
    summary: "Let a batch that waits for its time go out later",
    params: BatchParams,
    /** The time must be later than the one planned; how long the approval counts after it stays. */
    body: z.strictObject({ at: MomentText, reason: Reason }),
    answer: "nothing",
  },
  "POST /api/batches/:id/send-now": {
    may: "approve",
    summary:
      "Let a batch that waits for its time, or was kept back, go out now if its rows still pass",
    params: BatchParams,
    body: z.strictObject({ reason: Reason }),
    answer: "nothing",
    stepUp: true,
    keys: false,
  },
} as const satisfies Record<string, Operation>;
