import { z } from "zod";
import type { Operation } from "#api/operation.ts";
import { Timestamp } from "#api/shapes.ts";
import { LIGHT_STATES } from "#operations/light.ts";

export const Light = z.object({
  state: z.enum(LIGHT_STATES),
  /** What it means, in words. */
  says: z.string(),
  /** Null: nobody knows, or it has no beginning. */
  since: Timestamp.nullable(),
  /** Nothing is sent, and nobody asks about what is open: every state is as it was then. Null: work is done. */
  idle: z.object({ says: z.string(), since: Timestamp.nullable() }).nullable(),
  /** Why the whole ledger sends nothing; null: it may. */
  frozen: z.string().nullable(),
});

export const FRAME_API = {
  "GET /api/frame": {
    may: "read",
    summary:
      "What stands around every page: how sending goes, the time by the server's clock, and how many batches wait for whoever asks",
    answer: z.object({
      at: Timestamp,
      light: Light,
      /** Batches that wait for the approval of whoever asks. */
      approve: z.int(),
    }),
  },
} as const satisfies Record<string, Operation>;
