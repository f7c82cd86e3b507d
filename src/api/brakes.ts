import { z } from "zod";
import { Amount, Timestamp } from "#api/shapes.ts";
import { BRAKE_SETTING_NAMES } from "#payout/brake-settings.ts";
import { BRAKE_NAMES } from "#payout/brakes.ts";

/** A brake in words: what it is, what it protects, and how it opens. */
const BrakeShown = z.object({
  brake: z.enum(BRAKE_NAMES),
  name: z.string(),
  protects: z.string(),
  opens: z.string(),
});

/** The first payouts of each lane, and whether the rest waits for them. */
export const CanaryShown = z.object({
  /** Of each lane; 0: none. */
  payouts: z.int(),
  /** Empty before the batch is approved; a lane without more payouts than these has none. */
  lanes: z.array(
    z.object({
      lane: z.string(),
      payouts: z.int(),
      settled: z.int(),
      state: z.enum(["waits", "released", "failed"]),
      /** Why the batch was paused for it. */
      reason: z.string().nullable(),
      released_by: z.string().nullable(),
    }),
  ),
  brake: BrakeShown,
});

/** What keeps a lane from sending. */
export const StopShown = z.object({
  reason: z.string(),
  needs: z.enum(["wait", "person", "answers"]),
  since: Timestamp,
  retry_at: Timestamp.nullable(),
  /** Null: a person has paused it. */
  brake: BrakeShown.nullable(),
});

/** How far the brakes of a lane let things go. */
export const LaneBrakesShown = z.object({
  counts: z.record(z.enum(BRAKE_SETTING_NAMES), z.int()),
  /** In doubt at once; null: the count alone has a ceiling. */
  doubt_amount: Amount.nullable(),
});
