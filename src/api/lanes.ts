import { z } from "zod";
import type { Operation } from "#api/operation.ts";
import { Timestamp, why } from "#api/shapes.ts";

export const Reason = why(1, 500);
/** MERCHANT/CURRENCY, or "all" where all can be meant. */
export const LaneName = z.string().min(1).max(200);

export const PAUSE_MODES = ["freeze", "drain"] as const;

/** Payouts a second. What is slower than one an hour is no pace but a stop, and a pause says so. */
export const RATE_MIN = 1 / 3_600;
const RATE_MAX = 10_000;
const CONCURRENCY_MAX = 10_000;

/** How fast a lane is sent, over all processes; null: no limit. */
export const Limits = z.object({
  /** Payouts a second that a person allows. */
  rate: z.number().nullable(),
  /** Requests at once that a person allows. */
  concurrency: z.int().nullable(),
  /** Payouts a second that the gateway's answers allow at the moment. */
  slow_rate: z.number().nullable(),
  /** The name of a user; others as they stand. Null: nobody has set a limit. */
  set_by: z.string().nullable(),
  set_at: Timestamp.nullable(),
});

export const LANE_API = {
  "POST /api/lanes/set": {
    may: "operate",
    summary: "How fast a lane is sent, over all processes; what is left out stays as it is",
    body: z
      .strictObject({
        lane: LaneName,
        /** Payouts a second; null: no limit. */
        rate: z
          .number()
          .min(
            RATE_MIN,
            "at least one payout an hour (0.000278 a second); to send nothing, pause the lane",
          )
          .max(RATE_MAX)
          .nullable()
          .optional(),
        /** Requests at once; null: no limit. */
        concurrency: z.int().positive().max(CONCURRENCY_MAX).nullable().optional(),
        reason: Reason,
      })
      .refine(({ rate, concurrency }) => rate !== undefined || concurrency !== undefined, {
        message: "needs a rate or a concurrency",
      }),
    answer: "nothing",
  },
} as const satisfies Record<string, Operation>;
