import { z } from "zod";
import type { ApiOperation } from "#api/app/operation.ts";
import { AUDIT_POSITION_FORM } from "#integrity/audit-checkpoint.ts";
import { Amount, PageQuery, pageOf, Timestamp } from "#api/app/shapes.ts";

const AuditLine = z.object({
  number: z.int(),
  at: Timestamp,
  actor: z.string(),
  /** The user's name, if the actor is a user. */
  actor_name: z.string().nullable(),
  action: z.string(),
  object: z.string(),
  facts: z.record(z.string(), z.unknown()),
  /** The totals of the facts, which are in minor units there; null without totals. */
  totals: z.array(Amount).nullable(),
  hash: z.string(),
});

const filter = {
  /** "user:US…", "cli:…", or a part of the user's name. */
  actor: z.string().max(200).optional(),
  object: z.string().max(200).optional(),
  action: z.string().max(100).optional(),
  from: Timestamp.optional(),
  /** Exclusive upper bound. */
  to: Timestamp.optional(),
};

export const AUDIT_API = {
  "GET /api/audit": {
    permission: "audit",
    summary: "Lists audit log entries, newest first",
    query: z.strictObject({
      ...PageQuery.shape,
      ...filter,
      cursor: z
        .string()
        .regex(/^\d{1,15}$/, "must be a cursor for this list")
        .optional(),
    }),
    answer: pageOf(AuditLine),
  },
  "GET /api/audit/actions": {
    permission: "audit",
    summary: "Lists the actions found in the audit log",
    answer: z.object({ actions: z.array(z.string()) }),
  },
  "GET /api/audit/verify": {
    permission: "audit",
    summary: "Recomputes the hash chain of the audit log and compares it with a saved checkpoint",
    query: z.strictObject({
      /** A saved checkpoint such as "48211:9f3c…": line number and hash. */
      checkpoint: z
        .string()
        .trim()
        .regex(AUDIT_POSITION_FORM, "a line number and its hash, such as 48211:9f3c…")
        .optional(),
    }),
    answer: z.object({
      at: Timestamp,
      intact: z.boolean(),
      lines: z.int(),
      /**
       * The latest hash. Saved elsewhere as "lines:latest_hash", it reveals later truncation or
       * rewriting.
       */
      latest_hash: z.string().nullable(),
      /** Root of the Merkle tree over the log. Published as "lines:root", it binds the log. */
      root: z.string().nullable(),
      broken_at: z.int().nullable(),
      why: z.string().nullable(),
    }),
  },
  "GET /api/audit-export": {
    permission: "audit",
    summary:
      "Downloads audit log entries, oldest first, as CSV or as a workbook of at most 50,000 rows",
    query: z.strictObject({ ...filter, format: z.enum(["csv", "xlsx"]).default("csv") }),
    answer: "file",
  },
} as const satisfies Record<string, ApiOperation>;
