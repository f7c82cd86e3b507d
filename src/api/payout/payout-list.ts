import { z } from "zod";
import type { ApiOperation } from "#api/app/operation.ts";
import { Amount } from "#api/app/shapes.ts";
import { ListedStateName, PayoutFilter, PayoutSortName } from "#api/payout/payout-filter.ts";

const Count = z.number().int();

/** The API of the list of payouts as a whole: its sums, and its file. */
export const PAYOUT_LIST_API = {
  "GET /api/payout-summary": {
    permission: "read",
    summary:
      "Returns the number and total amounts of the payouts that match the filters, by currency and by state, unless there are more than `count_max`",
    query: PayoutFilter,
    answer: z.object({
      /** Null if there are more than `count_max`. */
      count: Count.nullable(),
      count_max: Count,
      totals: z.array(z.object({ ...Amount.shape, payouts: Count })),
      /** The payouts found that a retry has paid, or whose retry is a failure itself. */
      retried: Count,
      /** The payouts that match all filters except `state` and `drafts`, by state. */
      states: z.array(z.object({ state: ListedStateName, payouts: Count })),
      /** Of those in the state `awaiting_approval`, the payouts that exact duplicates block. */
      blocked: Count.nullable(),
    }),
  },
  "GET /api/payout-export": {
    permission: "read",
    summary:
      "Downloads the payouts that match the filters, as CSV or as a workbook of at most 50,000 rows; accounts are masked except for their ends. The download is recorded in the audit log",
    query: z.strictObject({
      ...PayoutFilter.shape,
      sort: PayoutSortName,
      format: z.enum(["csv", "xlsx"]).default("csv"),
    }),
    answer: "file",
  },
} as const satisfies Readonly<Record<string, ApiOperation>>;
