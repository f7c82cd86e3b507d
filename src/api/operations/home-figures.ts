import { z } from "zod";
import type { ApiOperation } from "#api/app/operation.ts";
import { Amount, Timestamp } from "#api/app/shapes.ts";

const Count = z.number().int();
const Day = z.iso.date();
const DecimalAmount = Amount.shape.amount;

const Results = { settled: Count, declined: Count };
/** Upper bounds of duration buckets, so they are not exact. */
const Durations = { median_seconds: Count.nullable(), p95_seconds: Count.nullable() };

export const HOME_FIGURES_API = {
  "GET /api/home/figures": {
    permission: "read",
    summary:
      "Returns results and settlement times for the last 30 days, amounts settled today, and how long each balance will last",
    answer: z.object({
      at: Timestamp,
      /** The zone of all days: that of the merchant's lanes, or UTC if they have several. */
      zone: z.string(),
      /** The start of today in this zone. */
      today_from: Timestamp,
      days: z.array(z.object({ day: Day, ...Results, ...Durations })),
      period: z.object({ ...Results, ...Durations }),
      previous_period: z.object(Results),
      last_7_days: z.object({ ...Results, ...Durations }),
      currencies: z.array(
        z.object({
          currency: z.string(),
          settled: DecimalAmount,
          payouts: Count,
          declined: Count,
          /** The payouts that were returned today, whenever they settled. */
          returned: DecimalAmount,
          usual: DecimalAmount,
          days: z.array(z.object({ day: Day, amount: DecimalAmount })),
        }),
      ),
      lanes: z.array(
        z.object({
          lane: z.string(),
          name: z.string(),
          currency: z.string(),
          balance: DecimalAmount.nullable(),
          last_balance: DecimalAmount.nullable(),
          reserved: DecimalAmount,
          settled_since: DecimalAmount.nullable(),
          available: DecimalAmount.nullable(),
          unknown: z.string().nullable(),
          reported_at: Timestamp.nullable(),
          cover_tenths: Count.nullable(),
        }),
      ),
    }),
  },
} as const satisfies Record<string, ApiOperation>;
