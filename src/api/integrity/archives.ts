import { z } from "zod";
import type { ApiOperation } from "#api/app/operation.ts";
import { Timestamp } from "#api/app/shapes.ts";

export const ARCHIVE_API = {
  "GET /api/archives": {
    permission: "read",
    summary: "Lists the archive files with the course of old payouts, oldest first",
    answer: z.object({
      archives: z.array(
        z.object({
          id: z.string(),
          archive_file: z.string(),
          /** Every payout in it last changed before this time. */
          until: Timestamp,
          batches: z.int(),
          payouts: z.int(),
          /** Where the archived rows are. */
          stored: z.enum(["ledger", "proposed", "agreed", "detaching", "file"]),
          created_at: Timestamp,
        }),
      ),
    }),
  },
} as const satisfies Record<string, ApiOperation>;
