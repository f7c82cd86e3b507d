import { z } from "zod";
import { BatchStateName } from "#api/approval/approvals.ts";
import type { ApiOperation } from "#api/app/operation.ts";
import { SendTimeView } from "#api/schedule/send-times.ts";
import { Amount } from "#api/app/shapes.ts";
import { LEFT_OUT_REASONS, type LeftOutReason } from "#payout/retry-batch-left-out.ts";

const BatchParams = z.object({ id: z.string().max(40) });
const Count = z.number().int();
const Share = z.object({ count: Count, sums: z.array(Amount) });

export const RETRY_BATCH_API = {
  "GET /api/batches/:id/retry-batch": {
    permission: "read",
    summary:
      "Lists the declined payouts in a batch that can be retried, and the reasons other declined payouts cannot be retried",
    params: BatchParams,
    answer: z.object({
      payable: Share,
      left_out: z.array(
        z.object({
          why: z.enum(Object.keys(LEFT_OUT_REASONS) as [LeftOutReason, ...LeftOutReason[]]),
          says: z.string(),
          ...Share.shape,
        }),
      ),
      /** Its retry batches. */
      batches: z.array(
        z.object({ batch_id: z.string(), state: BatchStateName, send: SendTimeView.nullable() }),
      ),
      /** The batch that this one retries. */
      of: z
        .object({ batch_id: z.string(), file: z.string(), name: z.string().nullable() })
        .nullable(),
    }),
  },
  "POST /api/batches/:id/retry-batch": {
    permission: "upload",
    summary:
      "Creates a retry batch from the declined payouts, with new transaction codes; it requires approval like any other batch",
    creates: true,
    params: BatchParams,
    answer: z.object({
      batch_id: z.string(),
      payouts: Count,
      /** Declined rows that validation now rejects, or reads differently than at approval. */
      left_out: Count,
    }),
  },
} as const satisfies Record<string, ApiOperation>;
