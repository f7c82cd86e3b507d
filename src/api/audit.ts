import { z } from "zod";
import type { Operation } from "#api/operation.ts";
import { HEAD_FORM } from "#operations/audit-head.ts";
import { PageQuery, pageOf, Timestamp } from "#api/shapes.ts";

const AuditLine = z.object({
  number: z.int(),
  at: Timestamp,
  actor: z.string(),
  /** The name of the user, where the actor is one. */
  actor_name: z.string().nullable(),
  action: z.string(),
  object: z.string(),
  facts: z.record(z.string(), z.unknown()),
  hash: z.string(),
});

const filter = {
  /** "user:US…", "cli:…", or a part of the user's name. */
  actor: z.string().max(200).optional(),
  object: z.string().max(200).optional(),
  action: z.string().max(100).optional(),
  from: Timestamp.optional(),
  /** Up to here, without it. */
  to: Timestamp.optional(),
};

export const AUDIT_API = {
  "GET /api/audit": {
    may: "audit",
    summary: "Who did what, the newest first",
    query: z.strictObject({
      ...PageQuery.shape,
      ...filter,
      cursor: z
        .string()
        .regex(/^\d{1,15}$/, "the cursor of an earlier page")
        .optional(),
    }),
    answer: pageOf(AuditLine),
  },
  "GET /api/audit/actions": {
    may: "audit",
    summary: "Every action that is on the log",
    answer: z.object({ actions: z.array(z.string()) }),
  },
  "GET /api/audit/verify": {
    may: "audit",
    summary: "Recompute the hash chain of the whole log, and compare it with a head that was kept",
    query: z.strictObject({
      /** "48211:9f3c…", as it was told on a day: line and hash. */
      head: z.string().trim().regex(HEAD_FORM, "a line and its hash, as 48211:9f3c…").optional(),
    }),
    answer: z.object({
      at: Timestamp,
      intact: z.boolean(),
      lines: z.int(),
      /** The hash of the last line: kept elsewhere as "lines:head", it shows later what was cut off or written anew. */
      head: z.string().nullable(),
      broken_at: z.int().nullable(),
      why: z.string().nullable(),
    }),
  },
  "GET /api/audit.csv": {
    may: "audit",
    summary: "The same lines as a CSV file, the oldest first",
    query: z.strictObject(filter),
    answer: "file",
  },
} as const satisfies Record<string, Operation>;
