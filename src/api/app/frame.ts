import { z } from "zod";
import type { ApiOperation } from "#api/app/operation.ts";
import { Timestamp } from "#api/app/shapes.ts";
import { STATUS_INDICATOR_STATES } from "#operations/status-indicator.ts";

export const StatusIndicator = z.object({
  state: z.enum(STATUS_INDICATOR_STATES),
  /** The meaning, as text. */
  says: z.string(),
  /** Null if unknown. */
  since: Timestamp.nullable(),
  /**
   * The time since which payrun has neither sent nor queried payouts, so that all states date from
   * then; null if work continues.
   */
  idle: z.object({ says: z.string(), since: Timestamp.nullable() }).nullable(),
  /** Why the ledger is frozen; null if it is not. */
  frozen: z.string().nullable(),
});

export const FRAME_API = {
  "GET /api/frame": {
    permission: "read",
    summary:
      "Returns the data shown on every page: sending status, server time, number of batches awaiting your approval, number of changes that you can confirm, number of tasks in reconciliation, and number of unread notifications",
    answer: z.object({
      at: Timestamp,
      status_indicator: StatusIndicator,
      /** Number of batches awaiting your approval. */
      approve: z.int(),
      /** Number of changes proposed by other admins that you can confirm. */
      confirm: z.int(),
      /** Number of breaks, statements and days that you can resolve, confirm or close. */
      reconcile: z.int(),
      /** Number of your notifications that you have not read. */
      unread: z.int(),
    }),
  },
} as const satisfies Record<string, ApiOperation>;
