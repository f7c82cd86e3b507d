import { z } from "zod";
import type { ApiOperation } from "#api/app/operation.ts";
import { Amount, Timestamp } from "#api/app/shapes.ts";
import { ALARM_CODES } from "#operations/alarms.ts";
import { AlarmPart } from "#api/operations/operations.ts";
import { TIMED_BATCH_STATES } from "#api/schedule/schedules.ts";

const Count = z.number().int();
const Sums = z.array(Amount);

/** A batch in which you have something to do. */
const TaskBatch = z.object({
  batch_id: z.string(),
  name: z.string(),
  maker: z.string(),
  since: Timestamp,
  rejected: Count,
  payouts: Count,
  sums: Sums,
});

/** `count` is the number of all these batches; at most five of them are listed. */
const TaskBatches = z.object({ count: Count, batches: z.array(TaskBatch) });

const TaskPayout = z.object({ transaction_code: z.string(), ...Amount.shape });

/** A change that another admin proposed and you can confirm. */
const TaskChange = z.object({
  id: z.string(),
  says: z.string(),
  proposed_by: z.string(),
  since: Timestamp,
  creates_link: z.boolean(),
});

const NextRun = z.object({
  at: Timestamp,
  /** The time where it applies: "2026-12-31 09:00 Asia/Kolkata". */
  says: z.string(),
  kind: z.enum(["cut_off", "scheduled", "recurring"]),
  /** The lane or currency of a cut-off; otherwise the name of the batch or schedule. */
  name: z.string(),
  batch_id: z.string().nullable(),
  /** Number of payouts of a scheduled batch; for a cut-off, of batches not approved yet. */
  payouts: Count.nullable(),
  /** State of a scheduled batch; null for cut-offs and schedules. */
  state: z.enum(TIMED_BATCH_STATES).nullable(),
});

/** An alarm that stops or endangers payouts. Alarms about several lanes or batches are split. */
const HomeAlarm = z.object({
  code: z.enum(ALARM_CODES),
  says: z.string(),
  /** The first part of `says`, and the lanes, batches or causes that follow it; null for none. */
  title: z.string(),
  detail: z.string().nullable(),
  /** Null if the alarm is about no particular payouts. */
  about: AlarmPart.omit({ says: true }).nullable(),
});

/** Your tasks in reconciliation. */
const ReconciliationTasks = z.object({
  /** Breaks that nobody has proposed to resolve. Only operators see them. */
  breaks: z.object({ count: Count, oldest_at: Timestamp.nullable() }),
  /** Number of proposed resolutions of breaks that you can confirm. */
  break_proposals: Count,
  /** Statements that replace a compared one, and that you can confirm. */
  statements: z.array(
    z.object({
      id: z.string(),
      lane: z.string(),
      day: z.iso.date(),
      by: z.string(),
      since: Timestamp,
    }),
  ),
  /** The next day of each lane, if you can close it now. */
  days: z.array(z.object({ lane: z.string(), day: z.iso.date(), has_statement: z.boolean() })),
});
export type ReconciliationTasks = z.output<typeof ReconciliationTasks>;

/** Setup steps for a new installation. */
export const FIRST_STEPS = [
  "invite_approver",
  "add_channel",
  "set_second_factor",
  "upload",
  "approve",
] as const;

export const HOME_TASKS_API = {
  "GET /api/home/tasks": {
    permission: "read",
    summary:
      "Returns your tasks, the payouts in doubt, and the next cut-offs, scheduled batches and occurrences",
    answer: z.object({
      at: Timestamp,
      approve: TaskBatches,
      draft: TaskBatches,
      correct: TaskBatches,
      duplicates: TaskBatches,
      retry: TaskBatches,
      resolutions: z.array(TaskPayout),
      wait_endings: z.array(TaskPayout),
      /** Resolutions of many payouts that you can confirm. */
      payout_actions: z.array(
        z.object({
          id: z.string(),
          proposed_by: z.string(),
          since: Timestamp,
          payouts: Count,
          sums: Sums,
        }),
      ),
      pending_changes: z.array(TaskChange),
      reconciliation: ReconciliationTasks,
      on_hold: z.object({ count: Count, sums: Sums, oldest_at: Timestamp.nullable() }),
      alarms: z.array(HomeAlarm),
      in_doubt: z.object({
        count: Count,
        sums: Sums,
        oldest_at: Timestamp.nullable(),
        next_query_at: Timestamp.nullable(),
      }),
      /** The next cut-offs and runs, at most eight, earliest first. */
      next_runs: z.array(NextRun),
      /** Null once a batch has been approved. */
      first_steps: z.array(z.object({ step: z.enum(FIRST_STEPS), done: z.boolean() })).nullable(),
    }),
  },
} as const satisfies Record<string, ApiOperation>;
