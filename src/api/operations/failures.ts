import { z } from "zod";
import type { ApiOperation } from "#api/app/operation.ts";
import { Amount, Timestamp } from "#api/app/shapes.ts";
import { StateName } from "#api/intake/batches.ts";
import { AssignmentView } from "#api/payout/assignments.ts";
import { SendTimeView } from "#api/schedule/send-times.ts";
import { FAILING, FAILING_STATES } from "#payout/failure-explanations.ts";
import { RETRY_RULES } from "#payout/retry-rule.ts";

const text = (max: number) => z.string().trim().min(1).max(max);

/** Same names and meaning as in the list of payouts. */
const FailureFilter = z.strictObject({
  batch: text(40).optional(),
  /** One or more, separated by commas; all if omitted. */
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
  /**
   * The value of the filter `reason` that finds the payouts of the group; null without a reason.
   */
  reason: z.string().nullable(),
  /** The value of the filter `bank`; "-" for payouts without a bank. */
  bank: z.string(),
  ...Amount.shape,
  count: z.number().int(),
  oldest_at: Timestamp,
  newest_at: Timestamp,
  /** The transaction code of the latest payout. */
  example: z.string(),
  meaning: z.string(),
  next_step: z.string(),
  /** The payouts can be retried: only declined payouts can. */
  can_retry: z.boolean(),
  /**
   * `new_details`: never unchanged. `decision`: also unchanged, if a person gives a reason. Null:
   * not at all.
   */
  retry: z.enum(RETRY_RULES).nullable(),
  next_actor: z.enum(Object.values(FAILING)),
  /** The batches with payouts of the group that can be retried, newest first; at most 20. */
  batches: z.array(
    z.object({
      batch_id: z.string(),
      name: z.string(),
      /** Name of the user, or the actor if it is not a user. */
      uploaded_by_name: z.string(),
      count: z.number().int(),
    }),
  ),
  /** The batches that retry payouts of the group, oldest first. */
  retry_batches: z.array(
    z.object({
      batch_id: z.string(),
      name: z.string(),
      state: StateName,
      send: SendTimeView.nullable(),
      needs_duplicate_reason: z.boolean(),
      count: z.number().int(),
    }),
  ),
});

/** A comment on a failure group. */
const Comment = z.object({ at: Timestamp, by: z.string(), text: z.string() });

/** A failure group that is assigned or has comments. */
const AssignedGroup = z.object({
  state: z.enum(FAILING_STATES),
  reason: z.string().nullable(),
  ...AssignmentView.shape,
  /** The latest comments, newest first. The audit log has all of them. */
  comments: z.array(Comment),
});

/** An assigned payout. */
const AssignedPayout = z.object({
  code: z.string(),
  state: z.enum(FAILING_STATES),
  /** As text. */
  reason: z.string().nullable(),
  ...Amount.shape,
  ...AssignmentView.shape,
});

export const FAILURE_API = {
  "GET /api/failures": {
    permission: "read",
    summary: "Lists failure groups by reason, currency and bank, largest first",
    query: FailureFilter,
    answer: z.object({
      groups: z.array(Group),
      /** Total number of groups; the list has only the largest. */
      groups_total: z.number().int(),
      totals: z.array(
        z.object({
          state: z.enum(FAILING_STATES),
          count: z.number().int(),
          sums: z.array(Amount),
        }),
      ),
      /** When this list was made; later changes are not included. */
      at: Timestamp,
      /**
       * Assignments and comments of all groups, including snoozed ones, which only the page hides.
       */
      assigned: z.array(AssignedGroup),
      payouts: z.array(AssignedPayout),
      /** Total number of assigned payouts; the list has only the latest. */
      payouts_total: z.number().int(),
    }),
  },
  "GET /api/failures/file": {
    permission: "read",
    summary:
      "Downloads the payouts in these failure groups with the next step for each; accounts are masked",
    query: FailureFilter.extend({
      /** Only failures assigned to the person, or to nobody. */
      whose: z.enum(["me", "nobody"]).optional(),
      /** "hidden" leaves out snoozed failures. */
      snoozed: z.enum(["shown", "hidden"]).default("shown"),
      format: z.enum(["csv", "xlsx"]).default("csv"),
    }),
    answer: "file",
  },
} as const satisfies Record<string, ApiOperation>;
