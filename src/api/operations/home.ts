import { z } from "zod";
import { Actor, BatchStateName } from "#api/approval/approvals.ts";
import type { ApiOperation } from "#api/app/operation.ts";
import { SendTimeView } from "#api/schedule/send-times.ts";
import { Amount, Timestamp } from "#api/app/shapes.ts";
import { PARTS } from "#approval/status-breakdown.ts";

const Count = z.number().int();
const Part = z.enum(PARTS);

const AttentionTotal = z.object({
  count: Count,
  sums: z.array(Amount),
  oldest_at: Timestamp.nullable(),
});

/**
 * The home page as every user sees it. The topic `home` of the live stream carries this document.
 */
export const HomeView = z.object({
  in_doubt: AttentionTotal,
  on_hold: AttentionTotal,
  /** Transaction codes of payouts on hold whose recorded result awaits confirmation. */
  resolutions: z.array(z.string()),
  /**
   * Transaction codes of payouts in doubt for which a proposal to end the wait awaits confirmation.
   */
  wait_endings: z.array(z.string()),
  /** IDs of resolutions of many payouts that an approver can confirm. */
  payout_actions: z.array(z.string()),
  /** Batches in progress or finished in the last 24 hours, per currency. */
  recent_amounts: z.array(
    z.object({
      currency: z.string(),
      parts: z.array(z.object({ part: Part, count: Count, amount: z.string() })),
    }),
  ),
  /** The newest batches of the last seven days. */
  batches: z.array(
    z.object({
      batch_id: z.string(),
      file: z.string(),
      /** The name given by the uploader. */
      name: z.string().nullable(),
      state: BatchStateName,
      quarantined: z.boolean(),
      /** The send time, if the batch is scheduled. */
      send: SendTimeView.nullable(),
      needs_duplicate_reason: z.boolean(),
      created_at: Timestamp,
      maker: Actor,
      payouts: Count,
      totals: z.array(Amount),
      parts: z.array(z.object({ part: Part, count: Count })),
    }),
  ),
  /** No file has ever been uploaded. */
  is_empty: z.boolean(),
});

export const HOME_API = {
  "GET /api/home": {
    permission: "read",
    summary: "Returns your tasks, the payouts in doubt and the progress of recent batches",
    answer: z.object({
      ...HomeView.shape,
      you: z.object({
        /** Number of batches awaiting your approval. */
        approve: Count,
        /** Number of your batches that need correction. */
        correct: Count,
        /** For operators: alarms that stop or endanger payouts. */
        alarms: z.array(z.string()),
      }),
    }),
  },
} as const satisfies Record<string, ApiOperation>;
