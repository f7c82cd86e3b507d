import { z } from "zod";
import type { ApiOperation } from "#api/app/operation.ts";
import { Timestamp } from "#api/app/shapes.ts";
import { RETENTION_DAYS_MAX, RETENTION_KIND_NAMES, RETENTION_KINDS } from "#integrity/retention.ts";

const Days = Object.fromEntries(
  RETENTION_KIND_NAMES.map((kind) => [
    kind,
    z.int().min(RETENTION_KINDS[kind].daysMin).max(RETENTION_DAYS_MAX).nullable(),
  ]),
) as Record<(typeof RETENTION_KIND_NAMES)[number], z.ZodNullable<z.ZodInt>>;

/** The retention rules and the legal hold. */
export const RetentionTerms = z.strictObject({
  rules: z.strictObject(Days),
  hold: z.string().trim().min(1).max(500).nullable(),
});

const Counts = z.object(
  Object.fromEntries(RETENTION_KIND_NAMES.map((kind) => [kind, z.int()])) as Record<
    (typeof RETENTION_KIND_NAMES)[number],
    z.ZodInt
  >,
);

export const RETENTION_API = {
  "GET /api/retention": {
    permission: "read",
    summary: "Shows how long each kind of data is kept, the legal hold and the last daily run",
    answer: z.object({
      rules: z.object(Days),
      hold: z.string().nullable(),
      ran_at: Timestamp.nullable(),
    }),
  },
  "PUT /api/retention": {
    permission: "administer",
    stepUp: true,
    summary:
      "Replaces the retention rules; a change after which data could be deleted earlier requires a second admin",
    body: RetentionTerms,
    answer: RetentionTerms,
  },
  "GET /api/retention/expired": {
    permission: "administer",
    summary: "Counts the rows that the next daily run deletes",
    answer: z.object({ expired: Counts }),
  },
} as const satisfies Record<string, ApiOperation>;
