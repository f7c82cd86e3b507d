import { z } from "zod";
import type { ApiOperation } from "#api/app/operation.ts";
import { Amount, Timestamp } from "#api/app/shapes.ts";

const Fact = z.object({ name: z.string(), value: z.string() });

const EvidenceRecord = z.object({
  at: Timestamp,
  /** The attempt that the record belongs to; null for callbacks and status answers. */
  attempt: z.int().nullable(),
  facts: z.array(Fact),
});

const AuditEntry = z.object({
  /** Null without the permission `audit`, like `facts` and `hash`. */
  number: z.int().nullable(),
  at: Timestamp,
  actor: z.string(),
  name: z.string(),
  action: z.string(),
  object: z.string(),
  facts: z.record(z.string(), z.unknown()).nullable(),
  /** The totals of the facts, which are in minor units there. */
  totals: z.array(Amount).nullable(),
  hash: z.string().nullable(),
});

/** The records that prove the course of one payout. */
export const PayoutEvidence = z.object({
  at: Timestamp,
  /** Digests of the uploaded file and of the content that approvers saw. */
  file_digest: z.string(),
  content_digest: z.string(),
  approvals: z.array(
    z.object({
      name: z.string(),
      at: Timestamp,
      /** Null without the permission `audit`. */
      method: z.enum(["password", "second_factor", "command_line"]).nullable(),
      content_digest: z.string(),
      withdrawn_at: Timestamp.nullable(),
      withdrawn_reason: z.string().nullable(),
    }),
  ),
  attempts: z.array(
    z.object({
      number: z.int(),
      /** The time immediately before the request. */
      at: Timestamp,
      key: z.string(),
      worker: z.string(),
      worker_host: z.string(),
      /** When the answer was recorded; null without one. */
      answered_at: Timestamp.nullable(),
    }),
  ),
  answers: z.array(EvidenceRecord),
  status_answers: z.array(EvidenceRecord),
  callbacks: z.array(EvidenceRecord),
  /** The audit entries of the payout, its batch and actions on many payouts, oldest first. */
  audit: z.array(AuditEntry),
  /** More entries exist than the response contains. */
  audit_truncated: z.boolean(),
});
export type PayoutEvidence = z.output<typeof PayoutEvidence>;

export const PAYOUT_EVIDENCE_API = {
  "GET /api/payouts/:code/evidence": {
    permission: "read",
    summary:
      "Returns the records that prove the course of a payout: approvals, attempts, gateway responses, callbacks and audit entries",
    params: z.object({ code: z.string().trim().min(1).max(64) }),
    answer: PayoutEvidence,
  },
} as const satisfies Record<string, ApiOperation>;
