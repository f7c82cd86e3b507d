import { z } from "zod";
import type { ApiOperation } from "#api/app/operation.ts";
import { Amount, Timestamp } from "#api/app/shapes.ts";
import { COMPARISON_PARTS, type ComparisonPart } from "#approval/comparison.ts";

const BatchId = z.string().trim().min(1).max(40);
const Count = z.number().int();

export const COMPARISON_API = {
  "GET /api/batches/:id/comparison": {
    permission: "read",
    summary: "Compares a batch with an earlier one: accounts, amounts and missing beneficiaries",
    params: z.object({ id: BatchId }),
    /**
     * Without `against`: the previous batch of its schedule, or the most similar earlier batch of
     * its uploader.
     */
    query: z.strictObject({ against: BatchId.optional() }),
    answer: z.object({
      /** Null if no earlier batch is similar, or the batch is a retry batch. */
      against: z
        .object({
          batch_id: z.string(),
          file: z.string(),
          name: z.string().nullable(),
          purpose: z.string().nullable(),
          created_at: Timestamp,
          payouts: Count,
          chosen: z.enum(["same_schedule", "most_similar", "requested"]),
        })
        .nullable(),
      /** The batch is not compared, because it retries payouts of another one. */
      is_retry: z.boolean(),
      totals: z.array(
        z.object({ ...Amount.shape, before: z.string().nullable(), times: z.string().nullable() }),
      ),
      parts: z.array(
        z.object({
          part: z.enum(Object.keys(COMPARISON_PARTS) as [ComparisonPart, ...ComparisonPart[]]),
          says: z.string(),
          /** Number of accounts. */
          count: Count,
          sums: z.array(Amount),
          /** The largest ones. A missing account has its line and amount of the other batch. */
          rows: z.array(
            z.object({
              code: z.string(),
              line: Count,
              beneficiary: z.string(),
              account_last4: z.string().nullable(),
              ...Amount.shape,
              before: z
                .object({ amount: z.string(), account_last4: z.string().nullable() })
                .nullable(),
            }),
          ),
        }),
      ),
    }),
  },
} as const satisfies Record<string, ApiOperation>;
