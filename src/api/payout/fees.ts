import { z } from "zod";
import type { ApiOperation } from "#api/app/operation.ts";
import { Amount } from "#api/app/shapes.ts";

const DAYS_MAX = 92;
const DAY_MS = 86_400_000;
const Day = z.iso.date();

export const FEE_API = {
  "GET /api/fees": {
    permission: "read",
    summary: "Returns the fees that the gateway reported, by lane and day of settlement (UTC)",
    query: z
      .strictObject({ from: Day, to: Day })
      .refine(({ from, to }) => from <= to, { message: "is before `from`", path: ["to"] })
      .refine(({ from, to }) => Date.parse(to) - Date.parse(from) < DAYS_MAX * DAY_MS, {
        message: `is more than ${DAYS_MAX} days after \`from\``,
        path: ["to"],
      }),
    answer: z.object({
      items: z.array(
        z.object({
          day: Day,
          lane: z.string(),
          /** The settled payouts with a reported fee. */
          payouts: z.number().int(),
          ...Amount.shape,
        }),
      ),
    }),
  },
} as const satisfies Record<string, ApiOperation>;
