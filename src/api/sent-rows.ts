import { z } from "zod";
import type { Operation } from "#api/operation.ts";
import { Amount, PageQuery, pageOf } from "#api/shapes.ts";

/** What is sent with every payout of a lane whose row names nothing else. */
export const SentByDefault = z.object({
  lane: z.string(),
  merchant_code: z.string(),
  /** Null: no merchant of this code is configured any more. */
  payout_code: z.string().nullable(),
  /** Null: none is sent, and the gateway reports as its back office says. */
  callback_url: z.string().nullable(),
});

const SentRow = z.object({
  line: z.number().int(),
  code: z.string(),
  lane: z.string(),
  ...Amount.shape,
  details: z.array(z.object({ field: z.string(), text: z.string() })),
  payout_code: z.string().nullable(),
  /** The payout code comes from the file, and is not the merchant's. */
  own_payout_code: z.boolean(),
  callback_url: z.string().nullable(),
  /** The callback address comes from the file. */
  own_callback: z.boolean(),
});

export const SENT_ROW_API = {
  "GET /api/batches/:id/sent": {
    may: "read",
    summary: "The rows of a batch with every field that is sent to the gateway; accounts covered",
    params: z.object({ id: z.string().max(40) }),
    query: z.strictObject(PageQuery.shape),
    answer: pageOf(SentRow),
  },
} as const satisfies Record<string, Operation>;
