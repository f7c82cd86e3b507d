import { z } from "zod";
import type { Operation } from "#api/operation.ts";
import { Amount, Timestamp } from "#api/shapes.ts";
import { Triage } from "#api/triage.ts";
import { FAILING, FAILING_STATES } from "#payout/causes.ts";

const text = (max: number) => z.string().trim().min(1).max(max);

/** Named and meant as in the list of payouts. */
const FailureFilter = z.strictObject({
  batch: text(40).optional(),
  /** One or more, with commas; all of them when left out. */
  state: z
    .string()
    .transform((names) => [...new Set(names.split(","))])
    .pipe(z.array(z.enum(FAILING_STATES)))
    .optional(),
  reason: text(300).optional(),
  currency: text(10).toUpperCase().optional(),
  bank: text(100).optional(),
  changed_from: Timestamp.optional(),
  changed_to: Timestamp.optional(),
});
export type FailureFilter = z.output<typeof FailureFilter>;

const Group = z.object({
  state: z.enum(FAILING_STATES),
  /** The filter `reason` that finds the group's payouts; null where none is on record. */
  reason: z.string().nullable(),
  /** The filter `bank`: "-" where a payout names none. */
  bank: z.string(),
  ...Amount.shape,
  count: z.number().int(),
  oldest_at: Timestamp,
  newest_at: Timestamp,
  /** The code of the payout that came in last. */
  example: z.string(),
  meaning: z.string(),
  todo: z.string(),
  /** Another payout may be made for it: only what is conclusively declined. */
  again: z.boolean(),
  acts: z.enum(Object.values(FAILING)),
});

/** What somebody said about a cause. */
const Comment = z.object({ at: Timestamp, by: z.string(), text: z.string() });

/** A cause that people have taken up, or said something about. */
const TakenUp = z.object({
  state: z.enum(FAILING_STATES),
  reason: z.string().nullable(),
  ...Triage.shape,
  /** The newest first; no more than the latest are told, the audit log has them all. */
  comments: z.array(Comment),
});

/** A single payout that people have taken up. */
const TakenUpPayout = z.object({
  code: z.string(),
  state: z.enum(FAILING_STATES),
  /** In words. */
  reason: z.string().nullable(),
  ...Amount.shape,
  ...Triage.shape,
});

export const FAILURE_API = {
  "GET /api/failures": {
    may: "read",
    summary:
      "Payouts that did not go their way, by cause, currency and bank; the largest groups first",
    query: FailureFilter,
    answer: z.object({
      groups: z.array(Group),
      /** How many groups there are; no more than the largest are told. */
      groups_total: z.number().int(),
      totals: z.array(
        z.object({
          state: z.enum(FAILING_STATES),
          count: z.number().int(),
          sums: z.array(Amount),
        }),
      ),
      /** When this was looked up: what changed later is not in it. */
      at: Timestamp,
      /** Of the causes of all groups. What is snoozed is told like everything else: the page hides its line alone. */
      taken_up: z.array(TakenUp),
      payouts: z.array(TakenUpPayout),
      /** How many payouts are taken up one by one; no more than the latest are told. */
      payouts_total: z.number().int(),
    }),
  },
  "GET /api/failures/file": {
    may: "read",
    summary: "The payouts of these groups, one row each, with what to do; accounts covered",
    query: FailureFilter.extend({ format: z.enum(["csv", "xlsx"]).default("csv") }),
    answer: "file",
  },
} as const satisfies Record<string, Operation>;
