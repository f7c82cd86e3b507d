import { z } from "zod";
import type { ApiOperation } from "#api/app/operation.ts";
import { Timestamp } from "#api/app/shapes.ts";
import { BreakClassName } from "#api/reconciliation/breaks.ts";
import { ReopeningCauseName } from "#api/reconciliation/days.ts";
import { StateName } from "#api/payout/payout-filter.ts";
import { FEED_EVENTS } from "#operations/feed-events.ts";

const EventType = z.enum(FEED_EVENTS);

const FeedEvent = z.object({
  id: z.string(),
  type: EventType,
  timestamp: Timestamp,
  data: z.object({
    object: z.string(),
    batch_id: z.string().nullable(),
    payout: z
      .object({
        code: z.string(),
        line: z.int(),
        state: StateName,
        reason: z.string().nullable(),
        currency: z.string(),
        amount: z.string(),
        gateway_number: z.string().nullable(),
      })
      .optional(),
    batch: z
      .object({
        state: z.string(),
        payouts: z.int(),
        totals: z.record(z.string(), z.string()),
      })
      .optional(),
    break: z
      .object({
        id: z.int(),
        class: BreakClassName,
        lane: z.string(),
        day: z.iso.date(),
        code: z.string().nullable(),
      })
      .optional(),
    day: z
      .object({
        lane: z.string(),
        day: z.iso.date(),
        version: z.int(),
        closing: z.string(),
        observed: z.string().nullable(),
        digest: z.string(),
        cause: ReopeningCauseName.nullable(),
        cause_object: z.string().nullable(),
      })
      .optional(),
  }),
});

export const FEED_API = {
  "GET /api/events": {
    permission: "read",
    summary: "Lists the events of the ledger in order, without gaps",
    query: z.strictObject({
      after: z.string().max(40).optional(),
      /** One or more, separated by commas. */
      type: z
        .string()
        .transform((names) => [...new Set(names.split(","))])
        .pipe(z.array(EventType))
        .optional(),
      batch: z.string().max(40).optional(),
      limit: z.coerce.number().int().min(1).max(1_000).default(100),
      wait: z.coerce.number().int().min(0).max(10).default(0),
    }),
    answer: z.object({
      items: z.array(FeedEvent),
      next: z.string().nullable(),
      has_more: z.boolean(),
    }),
  },
} as const satisfies Record<string, ApiOperation>;
