import { z } from "zod";
import { LaneThresholdsView, LaneStopView } from "#api/app/circuit-breakers.ts";
import { LaneName, Limits, PAUSE_MODES, Reason } from "#api/payout/lanes.ts";
import type { ApiOperation } from "#api/app/operation.ts";
import { Counts } from "#api/operations/monitoring.ts";
import { Amount, Timestamp } from "#api/app/shapes.ts";
import { FREEZE_CAUSES } from "#integrity/freeze-causes.ts";
import { ALARM_CODES } from "#operations/alarms.ts";
import { CIRCUIT_BREAKER_NAMES } from "#payout/circuit-breakers.ts";
import { CIRCUIT_BREAKER_SETTING_NAMES } from "#payout/lane/circuit-breaker-settings.ts";

/** The payouts that an alarm is about, in one lane or batch, or for one reason. */
export const AlarmPart = z.object({
  says: z.string(),
  payouts: z.int(),
  sums: z.array(Amount),
  /** Filter for `GET /api/payouts` that selects the same payouts. */
  payouts_filter: z.object({
    state: z.string().optional(),
    lane: z.string().optional(),
    batch: z.string().optional(),
    reason: z.string().optional(),
  }),
});

const Alarm = z.object({
  code: z.enum(ALARM_CODES),
  /** "critical": payouts are stopped or at risk. "info": a person chose this. */
  level: z.enum(["critical", "warning", "info"]),
  says: z.string(),
  /** Empty if the alarm is about no particular payouts. */
  parts: z.array(AlarmPart),
});

/** Payouts that need attention. */
const AttentionTotal = z.object({
  count: z.int(),
  sums: z.array(Amount),
  oldest_at: Timestamp.nullable(),
});

const Pause = z.object({
  reason: z.string(),
  actor: z.string(),
  /** The user's name, or the actor. */
  actor_name: z.string(),
  since: Timestamp,
  /** Null: until a person resumes it. */
  until: Timestamp.nullable(),
  mode: z.enum(PAUSE_MODES),
  /** Number of batches that still send because they had started before the pause. */
  finishing: z.int(),
});

const Lane = z.object({
  lane: z.string(),
  /** The display name: "INR · Main account". */
  name: z.string(),
  merchant_code: z.string(),
  currency: z.string(),
  pause: Pause.nullable(),
  stop: LaneStopView.nullable(),
  breakers: LaneThresholdsView,
  /** The circuit breakers with a threshold. */
  breaker_readings: z.array(
    z.object({
      breaker: z.enum(CIRCUIT_BREAKER_NAMES),
      value: z.int(),
      /** The value at which the circuit breaker stops the lane. */
      stops_at: z.int(),
    }),
  ),
  /** The last opening of each circuit breaker that has opened, latest first. */
  breaker_openings: z.array(
    z.object({ breaker: z.enum(CIRCUIT_BREAKER_NAMES), opened_at: Timestamp }),
  ),
  /** Null if the lane is stopped, or has never stopped. */
  restarted_at: Timestamp.nullable(),
  /** Null if the lane has no rate limits. */
  limits: Limits.nullable(),
  to_send: z.int(),
  submitting: z.int(),
  accepted: z.int(),
  in_doubt: z.int(),
  /** The counts are lower bounds, because counting was stopped. */
  is_more: z.boolean(),
});

const Worker = z.object({
  id: z.string(),
  host: z.string(),
  pid: z.int(),
  /** The build: version and commit, such as `1.0.0+2eb583380c1f`. */
  version: z.string(),
  /** The build of the answering server. */
  is_current: z.boolean(),
  is_alive: z.boolean(),
  /** False for processes without workers. */
  works: z.boolean(),
  started_at: Timestamp,
  seen_at: Timestamp,
  in_flight: z.int(),
  slots: z.int(),
  swept_at: Timestamp.nullable(),
  gateway_offset_ms: z.number().nullable(),
});

const Queues = z.object({
  engine: z.enum(["redis", "postgres"]),
  /** Null if the queues did not answer. */
  queues: z
    .array(
      z.object({
        name: z.string(),
        waiting: z.int(),
        active: z.int(),
        delayed: z.int(),
        oldest_at: Timestamp.nullable(),
      }),
    )
    .nullable(),
  redis: z
    .object({
      version: z.string(),
      policy: z.string(),
      append_only: z.boolean(),
      used_bytes: z.int(),
      /** 0 for no configured limit. */
      max_bytes: z.int(),
    })
    .nullable(),
});

const Overview = z.object({
  at: Timestamp,
  /** The most severe first; empty if healthy. */
  alarms: z.array(Alarm),
  in_doubt: AttentionTotal,
  on_hold: AttentionTotal.extend({
    by_reason: z.array(AttentionTotal.extend({ reason: z.string(), text: z.string() })),
  }),
  /** In the last minute. */
  sends_per_second: z.number(),
  /** In the last ten minutes. */
  counts: Counts,
  p50_ms: z.int().nullable(),
  p95_ms: z.int().nullable(),
  lanes: z.array(Lane),
  pause_of_all: Pause.nullable(),
  /** The thresholds of circuit breakers, with the values of lanes that set no others. */
  threshold_defaults: z.array(
    z.object({ name: z.enum(CIRCUIT_BREAKER_SETTING_NAMES), default: z.int(), says: z.string() }),
  ),
  workers: z.array(Worker),
  queue: Queues,
  ledger: z.object({
    epoch: z.int(),
    is_frozen: z.boolean(),
    database_version: z.string(),
    is_durable: z.boolean(),
    clock_offset_ms: z.number(),
  }),
});

const Freeze = z.object({
  freeze: z
    .object({
      epoch: z.int(),
      cause: z.enum(FREEZE_CAUSES),
      /**
       * Null if the ledger is not frozen but this server has the LEDGER_EPOCH of an earlier
       * history.
       */
      since: Timestamp.nullable(),
      reason: z.string(),
      lanes: z.array(z.object({ lane: z.string(), in_progress: z.int(), unqueried: z.int() })),
      on_hold_count: z.int(),
      on_hold: z.array(
        z.object({ transaction_code: z.string(), batch_id: z.string(), text: z.string() }),
      ),
      /** Transaction codes from callbacks that this ledger does not contain. */
      stray_count: z.int(),
      stray_codes: z.array(z.string()),
      /** Unacknowledged batches that the restore memories know and the ledger has lost. */
      lost: z.array(
        z.object({
          batch_id: z.string(),
          file: z.string(),
          uploaded_at: Timestamp,
          rows: z.int(),
          totals: z.record(z.string(), z.string()),
          host: z.string(),
        }),
      ),
      /** Batches in quarantine without a decision. */
      quarantine: z.array(
        z.object({ batch_id: z.string(), file: z.string(), created_at: Timestamp, rows: z.int() }),
      ),
      /** Null if this machine has no record of files kept outside the ledger. */
      memory_since: Timestamp.nullable(),
      /**
       * False if files may have been paid that neither the ledger nor this machine's record of
       * files contains.
       */
      memory_covers: z.boolean(),
    })
    .nullable(),
});

export const OPERATIONS_API = {
  "GET /api/operations": {
    permission: "read",
    summary: "Returns the health of the installation: alarms and the status of each component",
    answer: Overview,
  },
  "GET /api/metrics": {
    permission: "read",
    summary: "Returns metrics in the Prometheus format",
    answer: "file",
  },
  "GET /api/operations/runbook/:alarm": {
    permission: "read",
    summary: "Explains an alarm: its meaning, the risk to money and safe actions",
    params: z.object({ alarm: z.enum(ALARM_CODES) }),
    answer: z.object({
      alarm: z.enum(ALARM_CODES),
      parts: z.array(z.object({ heading: z.string(), text: z.string() })),
    }),
  },
  "POST /api/lanes/pause": {
    permission: "operate",
    summary:
      "Pauses a lane, all lanes or new batches; payrun continues to track payouts already sent",
    body: z.object({
      lane: LaneName,
      reason: Reason,
      until: Timestamp.nullable().default(null),
      /**
       * "freeze": no more payouts are sent. "drain": batches already being sent finish, and no
       * others start.
       */
      mode: z.enum(PAUSE_MODES).default("freeze"),
    }),
    answer: "nothing",
  },
  "POST /api/lanes/resume": {
    permission: "operate",
    summary:
      "Resumes paused lanes; resuming all lanes does not resume lanes that were paused individually",
    body: z.object({ lane: LaneName, reason: Reason }),
    answer: "nothing",
  },
  "POST /api/lanes/open": {
    permission: "operate",
    summary: "Restarts a lane that payrun stopped, once the cause has been fixed",
    body: z.object({ lane: LaneName, reason: Reason }),
    answer: "nothing",
  },
  "GET /api/operations/freeze": {
    permission: "operate",
    summary:
      "Returns the reason the ledger is frozen, and the progress and results of the status queries since the freeze",
    answer: Freeze,
  },
  "POST /api/operations/unfreeze": {
    permission: "operate",
    summary: "Unfreezes the ledger after every payout in progress has been queried",
    stepUp: true,
    keys: false,
    body: z.object({
      /** The version the user saw. A different version means that the state has changed. */
      epoch: z.int(),
      reason: Reason,
      /** Payouts that cannot be queried go on hold. */
      hold_unqueried: z.boolean().default(false),
      /**
       * Batches in quarantine to release, and those to keep. Each must be in one of the two lists.
       */
      release: z.array(z.string().max(20)).max(1_000).default([]),
      keep: z.array(z.string().max(20)).max(1_000).default([]),
      /** The id of every lost batch. */
      acknowledge_lost: z.array(z.string().max(20)).max(10_000).default([]),
      /** Required if this machine's record of files does not cover the gap. */
      without_memory: z.boolean().default(false),
    }),
    answer: "nothing",
  },
} as const satisfies Record<string, ApiOperation>;
