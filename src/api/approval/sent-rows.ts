import { z } from "zod";
import type { ApiOperation } from "#api/app/operation.ts";
import { Amount, PageQuery, pageOf } from "#api/app/shapes.ts";

/** Default values of a lane, used unless the row overrides them. */
export const SentByDefault = z.object({
  lane: z.string(),
  merchant_code: z.string(),
  /** Null if no merchant with this code is configured. */
  payout_code: z.string().nullable(),
  /** Null: none is sent, and the gateway uses the address from its back office. */
  callback_url: z.string().nullable(),
});

const SentRow = z.object({
  line: z.number().int(),
  code: z.string(),
  lane: z.string(),
  ...Amount.shape,
  details: z.array(z.object({ field: z.string(), text: z.string() })),
  payout_code: z.string().nullable(),
  /** The payout code comes from the file and differs from the merchant's. */
  own_payout_code: z.boolean(),
  callback_url: z.string().nullable(),
  /** The callback URL comes from the file. */
  own_callback: z.boolean(),
});

export const SENT_ROW_API = {
  "GET /api/batches/:id/sent": {
    permission: "read",
    summary: "Lists the rows in a batch with every field sent to the gateway; accounts are masked",
    params: z.object({ id: z.string().max(40) }),
    query: z.strictObject(PageQuery.shape),
    answer: pageOf(SentRow),
  },
} as const satisfies Record<string, ApiOperation>;
