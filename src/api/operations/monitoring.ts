import { z } from "zod";
import type { ApiOperation } from "#api/app/operation.ts";
import { PersonName } from "#api/app/session.ts";
import { Timestamp } from "#api/app/shapes.ts";
import { LaneName } from "#api/payout/lanes.ts";
import { TRAFFIC_COUNTERS } from "#operations/traffic-counters.ts";

export const Counts = z.record(z.enum(TRAFFIC_COUNTERS), z.int());

const Rates = z.object({
  step_seconds: z.int(),
  steps: z.array(
    z.object({
      at: Timestamp,
      counts: Counts,
      p50_ms: z.int().nullable(),
      p95_ms: z.int().nullable(),
    }),
  ),
});

const LaneRate = z.object({
  lane: z.string(),
  /** Payouts sent per second in the last minute. */
  per_second: z.number(),
  /** In the last ten minutes; null without requests. */
  accepted_percent: z.number().nullable(),
  p95_ms: z.int().nullable(),
  /** Payouts sent in each of the last 30 two-minute intervals, oldest first. */
  sent: z.array(z.int()),
});

/** The kinds of events that the operations page lists. */
export const EVENT_KINDS = [
  "alarm",
  "pause_lane",
  "resume_lane",
  "open_lane",
  "set_lane",
  "name_account",
  "freeze",
  "unfreeze",
] as const;

const Event = z.object({
  at: Timestamp,
  kind: z.enum(EVENT_KINDS),
  /** A lane, or "all"; null for events of the whole installation. */
  lane: z.string().nullable(),
  /** The lane's display name. */
  lane_name: z.string().nullable(),
  /** The reason, or the sentence of the alarm. */
  text: z.string(),
  /** The display name of the actor; null for alarms. */
  actor_name: z.string().nullable(),
});

/** The states of a job in a queue. */
export const JOB_STATES = ["waiting", "active", "delayed"] as const;

const QueueHistory = z.object({
  name: z.string(),
  step_minutes: z.int(),
  /** Jobs finished per interval, oldest first. The last interval is not over yet. */
  finished: z.array(z.int()),
  failed: z.array(z.int()),
});

const Job = z.object({
  id: z.string(),
  added_at: Timestamp,
  /** When the job can run; null if it can run now. */
  due_at: Timestamp.nullable(),
  /** The values of the job. It names no payout details. */
  payload: z.record(z.string(), z.union([z.string(), z.number()])),
});

const Account = z.object({
  merchant_code: z.string(),
  lanes: z.array(z.string()),
  /** The display name; null if none is set. */
  name: z.string().nullable(),
  set_by_name: z.string().nullable(),
  set_at: Timestamp.nullable(),
});

const QUEUE_NAMES = [
  "payrun-submit",
  "payrun-resolve",
  "payrun-callback",
  "payrun-deposit",
] as const;

export const MONITORING_API = {
  "GET /api/operations/rates": {
    permission: "read",
    summary:
      "Returns the number of requests sent and responses received per interval; empty intervals are omitted",
    query: z.strictObject({
      minutes: z.coerce.number().int().min(5).max(1_440).default(30),
      /** Only requests of this lane. */
      lane: LaneName.optional(),
    }),
    answer: Rates,
  },
  "GET /api/operations/lane-rates": {
    permission: "read",
    summary: "Returns the recent send rate, acceptance rate and latency of each lane",
    answer: z.object({ items: z.array(LaneRate) }),
  },
  "GET /api/operations/events": {
    permission: "read",
    summary:
      "Lists recent alarms and actions on lanes, merchant accounts and the ledger, newest first",
    query: z.strictObject({ hours: z.coerce.number().int().min(1).max(720).default(168) }),
    answer: z.object({ items: z.array(Event), is_more: z.boolean() }),
  },
  "GET /api/operations/queue-history": {
    permission: "read",
    summary: "Returns the number of jobs that each queue finished in recent hours",
    query: z.strictObject({ hours: z.coerce.number().int().min(1).max(24).default(1) }),
    answer: z.object({ items: z.array(QueueHistory) }),
  },
  "GET /api/operations/queues/:name/jobs": {
    permission: "read",
    summary: "Lists the jobs in a queue; a job only triggers work and contains no payout details",
    params: z.object({ name: z.enum(QUEUE_NAMES) }),
    query: z.strictObject({ state: z.enum(JOB_STATES).default("waiting") }),
    /** Null if the queue did not answer. */
    answer: z.object({ items: z.array(Job).nullable() }),
  },
  "GET /api/merchant-accounts": {
    permission: "read",
    summary: "Lists merchant accounts with their display names",
    answer: z.object({ items: z.array(Account) }),
  },
  "PUT /api/merchant-accounts/:code": {
    permission: "administer",
    summary: "Sets the display name of a merchant account, which is also shown for its lanes",
    params: z.object({ code: z.string().max(100) }),
    body: z.strictObject({
      /** Null: shows the merchant code. */
      name: PersonName.nullable(),
    }),
    answer: "nothing",
  },
} as const satisfies Record<string, ApiOperation>;
