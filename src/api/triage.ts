import { z } from "zod";
import type { Operation } from "#api/operation.ts";
import { note, Timestamp } from "#api/shapes.ts";
import { FAILING_STATES, SNOOZE_DAYS_MAX } from "#payout/causes.ts";

/** Who has taken something up, and until when its line is out of the way. */
export const Triage = z.object({
  /** Null: nobody. */
  assigned_to: z
    .object({
      id: z.string(),
      name: z.string(),
      /** False: this user is disabled, and somebody else should take it. */
      is_active: z.boolean(),
    })
    .nullable(),
  snooze: z
    .object({
      until: Timestamp,
      by: z.string(),
      /** Why it is in the list again: its day has come, or something changed that nobody had seen. Null: it is not. */
      over: z.enum(["day", "change"]).nullable(),
    })
    .nullable(),
});
export type Triage = z.output<typeof Triage>;

/** State and reason as a group of failures tells them. */
const Cause = z.strictObject({
  state: z.enum(FAILING_STATES),
  reason: z.string().trim().min(1).max(300).nullable(),
});

const UserId = z.string().max(40);
const Assignment = z.strictObject({
  /** Null: nobody any more. */
  to: UserId.nullable(),
  /** Who had it when it was looked at, null: nobody. Where somebody else has it by now, it stays with them. */
  from: UserId.nullable().optional(),
});

const CodeParams = z.object({ code: z.string().trim().min(1).max(64) });
const Snooze = z.strictObject({
  /** Null: it is in the list again at once. */
  until: Timestamp.nullable(),
  /** What changed after it was not seen, and ends the snooze. */
  seen_at: Timestamp,
});

export const TRIAGE_API = {
  "GET /api/failures/people": {
    may: "operate",
    summary: "Whom a failure can be given to: everybody who can sign in",
    answer: z.object({ items: z.array(z.object({ id: z.string(), name: z.string() })) }),
  },
  "PUT /api/failures/assignment": {
    may: "operate",
    summary: "Give a cause of failures to somebody, or to nobody; no payout is changed by it",
    body: Cause.extend(Assignment.shape),
    answer: "nothing",
  },
  "POST /api/failures/notes": {
    may: "operate",
    summary: "Leave a comment on a cause of failures, for good: it stands on the audit log",
    body: Cause.extend({ text: note(3, 1_000) }),
    answer: "nothing",
  },
  "PUT /api/failures/snooze": {
    may: "operate",
    summary: `Take a cause that waits for people out of the list, for ${SNOOZE_DAYS_MAX} days at most; it comes back by itself on that day, or when another payout joins it`,
    /** `seen_at`: `at` of the list that was looked at. */
    body: Cause.extend(Snooze.shape),
    answer: "nothing",
  },
  "PUT /api/payouts/:code/assignment": {
    may: "operate",
    summary: "Give a payout that did not go its way to somebody, or to nobody; it is not changed",
    params: CodeParams,
    body: Assignment,
    answer: "nothing",
  },
  "PUT /api/payouts/:code/snooze": {
    may: "operate",
    summary: `Take a payout that waits for people out of the list of those taken up, for ${SNOOZE_DAYS_MAX} days at most; it comes back by itself on that day, or when it changes`,
    params: CodeParams,
    /** `seen_at`: its `updated_at`, as it was looked at. */
    body: Snooze,
    answer: "nothing",
  },
} as const satisfies Record<string, Operation>;
