import { z } from "zod";
import type { ApiOperation } from "#api/app/operation.ts";
import { Timestamp, reasonText } from "#api/app/shapes.ts";

export const Reason = reasonText(1, 500);
/** MERCHANT/CURRENCY, or "all" where allowed. */
export const LaneName = z.string().min(1).max(200);

export const PAUSE_MODES = ["freeze", "drain"] as const;

/** Payouts per second. For less than one per hour, use a pause. */
export const RATE_MIN = 1 / 3_600;
const RATE_MAX = 10_000;
const CONCURRENCY_MAX = 10_000;

/** The rate limits of a lane across all processes; null for no limit. */
export const Limits = z.object({
  /** Payouts per second, set by a person. */
  rate: z.number().nullable(),
  /** Concurrent requests, set by a person. */
  concurrency: z.int().nullable(),
  /** Payouts per second that the gateway currently allows. */
  slow_rate: z.number().nullable(),
  /** The user's name, or the actor; null if no limit was set. */
  set_by: z.string().nullable(),
  set_at: Timestamp.nullable(),
});

export const LANE_API = {
  "POST /api/lanes/rate-limits": {
    permission: "operate",
    summary: "Sets the rate limits of a lane across all processes; omitted values remain unchanged",
    body: z
      .strictObject({
        lane: LaneName,
        /** Payouts per second; null for no limit. */
        rate: z
          .number()
          .min(
            RATE_MIN,
            "at least one payout per hour (0.000278 per second); to stop sending, pause the lane",
          )
          .max(RATE_MAX)
          .nullable()
          .optional(),
        /** Concurrent requests; null for no limit. */
        concurrency: z.int().positive().max(CONCURRENCY_MAX).nullable().optional(),
        reason: Reason,
      })
      .refine(({ rate, concurrency }) => rate !== undefined || concurrency !== undefined, {
        message: "requires a rate or a concurrency limit",
      }),
    answer: "nothing",
  },
} as const satisfies Record<string, ApiOperation>;
