import { z } from "zod";
import { ROW_CHECKS, type RowCheck } from "#approval/anomalies.ts";
import type { ApiOperation } from "#api/app/operation.ts";
import { Amount, CellChange, PageQuery, Timestamp } from "#api/app/shapes.ts";

const Check = z.enum(Object.keys(ROW_CHECKS) as [RowCheck, ...RowCheck[]]);

const Row = z.object({
  line: z.number().int(),
  code: z.string(),
  beneficiary: z.string(),
  account_last4: z.string().nullable(),
  bank: z.string().nullable(),
  ...Amount.shape,
  /** The checks that flagged the row; null while payrun is still looking for anomalies. */
  checks: z.array(Check).nullable(),
  /** Null: the row has not been corrected. */
  correction: z
    .object({
      by: z.object({ actor: z.string(), name: z.string() }),
      at: Timestamp,
      cells: z.array(CellChange.extend({ is_account: z.boolean() })),
    })
    .nullable(),
});

export const REVIEW_ROW_API = {
  "GET /api/batches/:id/approval/rows": {
    permission: "read",
    summary:
      "Lists the payouts in a batch for review, flagged payouts first and then the largest, or the largest first, with the cells changed by corrections; accounts are masked",
    params: z.object({ id: z.string().max(40) }),
    query: z.strictObject({
      ...PageQuery.shape,
      /** `changed`: another amount than in the previous batch, or an account that is new. */
      show: z.enum(["all", "flagged", "corrected", "new", "changed"]).default("all"),
      /** The largest are compared by their share of the total in their currency. */
      order: z.enum(["flagged", "largest"]).default("flagged"),
      /** The start of a name, line, amount or code, or the end of the account. */
      text: z.string().trim().min(1).max(100).optional(),
    }),
    answer: z.object({
      items: z.array(Row),
      next: z.string().nullable(),
      /**
       * The number of rows for each value of `show` except `changed`; null while payrun is still
       * looking.
       */
      counts: z
        .object({ all: z.int(), flagged: z.int(), corrected: z.int(), new: z.int() })
        .nullable(),
      /** The number of rows listed: the largest of each check; null while payrun is looking. */
      listed: z.object({ flagged: z.int(), new: z.int() }).nullable(),
    }),
  },
} as const satisfies Record<string, ApiOperation>;
