import { z } from "zod";
import type { ApiOperation } from "#api/app/operation.ts";
import { reasonText, Timestamp } from "#api/app/shapes.ts";

const Person = z.object({ actor: z.string(), name: z.string() });

const ErasureView = z.object({
  id: z.int(),
  reason: z.string(),
  state: z.enum(["proposed", "rejected", "erased", "complete"]),
  proposed_by: Person,
  at: Timestamp,
  decided_by: Person.nullable(),
  decided_at: Timestamp.nullable(),
  kind: z.enum(["beneficiary", "payer"]),
  /** Payouts of a beneficiary, or deposits of a payer. */
  payouts: z.int().nullable(),
  file_rows: z.int().nullable(),
  comments: z.int().nullable(),
  completed_at: Timestamp.nullable(),
});
export type ErasureView = z.output<typeof ErasureView>;

export const ERASURE_API = {
  "GET /api/erasures": {
    permission: "read",
    summary: "Lists the proposed and completed erasures of people",
    answer: z.object({ items: z.array(ErasureView) }),
  },
  "POST /api/erasures": {
    permission: "operate",
    summary:
      "Proposes to erase the beneficiary of a payout or the payer of a deposit; an approver must confirm it",
    body: z.strictObject({
      code: z.string().trim().min(1).max(64),
      reason: reasonText(3, 1_000),
    }),
    answer: ErasureView,
  },
  "POST /api/erasures/:id/decide": {
    permission: "approve",
    keys: false,
    stepUp: true,
    summary: "Confirms or rejects the erasure of a person; the proposer cannot",
    params: z.object({ id: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER) }),
    body: z.strictObject({ agree: z.boolean() }),
    answer: ErasureView,
  },
} as const satisfies Record<string, ApiOperation>;
