import { z } from "zod";
import type { Operation } from "#api/operation.ts";
import { Amount, Timestamp } from "#api/shapes.ts";
import { DIFF_PARTS, type DiffPart } from "#batch/diff.ts";

const BatchId = z.string().trim().min(1).max(40);
const Count = z.number().int();

export const DIFF_API = {
  "GET /api/batches/:id/diff": {
    may: "read",
    summary: "What differs between a batch and an earlier one: accounts, amounts, who is missing",
    params: z.object({ id: BatchId }),
    /** Without `against`: the batch before of its schedule, or the earlier one of its maker that is most like it. */
    query: z.strictObject({ against: BatchId.optional() }),
    answer: z.object({
      /** Null: no earlier batch is like it. */
      against: z
        .object({
          batch_id: z.string(),
          file: z.string(),
          name: z.string().nullable(),
          created_at: Timestamp,
          payouts: Count,
          chosen: z.enum(["series", "most_alike", "asked"]),
        })
        .nullable(),
      totals: z.array(
        z.object({ ...Amount.shape, before: z.string().nullable(), times: z.string().nullable() }),
      ),
      parts: z.array(
        z.object({
          part: z.enum(Object.keys(DIFF_PARTS) as [DiffPart, ...DiffPart[]]),
          says: z.string(),
          /** Accounts. */
          count: Count,
          sums: z.array(Amount),
          /** The largest of them; what is missing is told with its line and amount in the other batch. */
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
} as const satisfies Record<string, Operation>;
