import { z } from "zod";
import type { ApiOperation } from "#api/app/operation.ts";
import { Deposit } from "#api/deposit/deposits.ts";
import { ListedPayout } from "#api/payout/payouts.ts";
import { SendTimeView } from "#api/schedule/send-times.ts";

const Found = z.object({
  payouts: z.array(ListedPayout),
  /** Counted up to `count_max`, like the other two. */
  payouts_count: z.int(),
  batches: z.array(
    z.object({
      id: z.string(),
      file_name: z.string(),
      name: z.string().nullable(),
      purpose: z.string().nullable(),
      state: z.string(),
      rows: z.int(),
      /** The send time, if the batch is scheduled. */
      send: SendTimeView.nullable(),
      needs_duplicate_reason: z.boolean(),
    }),
  ),
  batches_count: z.int(),
  deposits: z.array(Deposit),
  deposits_count: z.int(),
  count_max: z.int(),
  /** The filter of the list of payouts that finds the same payouts. */
  payouts_filter: z.object({ text: z.string() }).or(z.object({ account: z.string() })),
  /** The exact match: its code or number was entered in full. */
  exact: z.object({ kind: z.enum(["payout", "batch", "deposit"]), id: z.string() }).nullable(),
  /** How payrun understood the search, such as "amount 1200". */
  understood: z.array(z.string()),
  /**
   * The text may be an account, but payrun did not search accounts because the permission reveal is
   * missing.
   */
  accounts_left_out: z.boolean(),
});

export const SEARCH_API = {
  "POST /api/search": {
    permission: "read",
    summary:
      "Searches payouts, batches and deposits by code, gateway number, amount, name, file, user ID or reference. A search by account requires the `reveal` permission and is recorded in the audit log",
    body: z.strictObject({ q: z.string().trim().min(1).max(200) }),
    answer: Found,
  },
} as const satisfies Record<string, ApiOperation>;
