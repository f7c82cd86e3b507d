import { z } from "zod";
import { Actor, BatchStateName } from "#api/approvals.ts";
import type { Operation } from "#api/operation.ts";
import { SendView } from "#api/send-times.ts";
import { Amount, Timestamp } from "#api/shapes.ts";
import { PARTS } from "#batch/equation.ts";

const Count = z.number().int();
const Part = z.enum(PARTS);

const Heap = z.object({ count: Count, sums: z.array(Amount), oldest_at: Timestamp.nullable() });

/** The first page as everybody sees it; what `home` of the live stream carries. */
export const HomeView = z.object({
  in_doubt: Heap,
  held: Heap,
  /** Codes of held payouts about which somebody has said what became of them; an approver agrees or does not. */
  closings: z.array(z.string()),
  /** The batches that are under way, or ended within the last 24 hours, per currency. */
  lately: z.array(
    z.object({
      currency: z.string(),
      parts: z.array(z.object({ part: Part, count: Count, amount: z.string() })),
    }),
  ),
  /** The newest of the last seven days. */
  batches: z.array(
    z.object({
      batch_id: z.string(),
      file: z.string(),
      /** What its maker calls it. */
      name: z.string().nullable(),
      state: BatchStateName,
      quarantined: z.boolean(),
      /** When it goes out, where it has a time. */
      send: SendView.nullable(),
      created_at: Timestamp,
      maker: Actor,
      payouts: Count,
      totals: z.array(Amount),
      parts: z.array(z.object({ part: Part, count: Count })),
    }),
  ),
  /** No file was ever brought. */
  untouched: z.boolean(),
});

export const HOME_API = {
  "GET /api/home": {
    may: "read",
    summary: "What needs whoever asks, what is in doubt, and how the batches of these days go on",
    answer: z.object({
      ...HomeView.shape,
      you: z.object({
        /** Batches that wait for the approval of whoever asks. */
        approve: Count,
        /** Batches of whoever asks with rows to correct. */
        correct: Count,
        /** For operators: what is the matter that keeps money from moving, or endangers it. */
        alarms: z.array(z.string()),
      }),
    }),
  },
} as const satisfies Record<string, Operation>;
