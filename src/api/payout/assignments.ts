import { z } from "zod";
import type { ApiOperation } from "#api/app/operation.ts";
import { multiLineText, Timestamp } from "#api/app/shapes.ts";
import { FAILING_STATES, SNOOZE_DAYS_MAX } from "#payout/failure-explanations.ts";

/** An assignment, and the end of the snooze. */
export const AssignmentView = z.object({
  /** Null for nobody. */
  assigned_to: z
    .object({
      id: z.string(),
      name: z.string(),
      /** False if this user is disabled and the task should be reassigned. */
      is_active: z.boolean(),
    })
    .nullable(),
  snooze: z
    .object({
      until: Timestamp,
      by: z.string(),
      /**
       * Why it is back in the list: its date has come, or an unseen change happened. Null if it is
       * not.
       */
      ended_by: z.enum(["day", "change"]).nullable(),
    })
    .nullable(),
});
export type AssignmentView = z.output<typeof AssignmentView>;

/** State and reason of a failure group. */
const Cause = z.strictObject({
  state: z.enum(FAILING_STATES),
  reason: z.string().trim().min(1).max(300).nullable(),
});

const UserId = z.string().max(40);
const Assignment = z.strictObject({
  /** Null removes the assignment. */
  to: UserId.nullable(),
  /**
   * The assignee the user saw, null for nobody. If it has changed meanwhile, the current assignee
   * stays.
   */
  from: UserId.nullable().optional(),
});

const CodeParams = z.object({ code: z.string().trim().min(1).max(64) });
const Snooze = z.strictObject({
  /** Null ends the snooze. */
  until: Timestamp.nullable(),
  /** Changes after this time end the snooze. */
  seen_at: Timestamp,
});

export const ASSIGNMENT_API = {
  "GET /api/failures/people": {
    permission: "operate",
    summary: "Lists the users to whom a failure can be assigned",
    answer: z.object({ items: z.array(z.object({ id: z.string(), name: z.string() })) }),
  },
  "PUT /api/failures/assignment": {
    permission: "operate",
    summary:
      "Assigns a failure group to a user or removes the assignment; the payouts do not change",
    body: Cause.extend(Assignment.shape),
    answer: "nothing",
  },
  "POST /api/failures/notes": {
    permission: "operate",
    summary: "Adds a permanent comment to a failure group; it is recorded in the audit log",
    body: Cause.extend({ text: multiLineText(3, 1_000) }),
    answer: "nothing",
  },
  "PUT /api/failures/snooze": {
    permission: "operate",
    summary: `Snoozes a failure group until a chosen day, at most ${SNOOZE_DAYS_MAX} days from now; the snooze ends earlier if another payout joins the group`,
    /** `seen_at` is the `at` of the list the user saw. */
    body: Cause.extend(Snooze.shape),
    answer: "nothing",
  },
  "PUT /api/payouts/:code/assignment": {
    permission: "operate",
    summary:
      "Assigns a payout that needs attention to a user or removes the assignment; the payout does not change",
    params: CodeParams,
    body: Assignment,
    answer: "nothing",
  },
  "PUT /api/payouts/:code/snooze": {
    permission: "operate",
    summary: `Snoozes an assigned payout until a chosen day, at most ${SNOOZE_DAYS_MAX} days from now; the snooze ends earlier if the payout changes`,
    params: CodeParams,
    /** `seen_at` is the `updated_at` the user saw. */
    body: Snooze,
    answer: "nothing",
  },
} as const satisfies Record<string, ApiOperation>;
