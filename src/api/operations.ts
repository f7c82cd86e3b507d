import { z } from "zod";
import { LaneBrakesShown, StopShown } from "#api/brakes.ts";
import { LaneName, Limits, PAUSE_MODES, Reason } from "#api/lanes.ts";
import type { Operation } from "#api/operation.ts";
import { Amount, Timestamp } from "#api/shapes.ts";
import { ALARM_CODES } from "#operations/alarms.ts";
import { PULSE_COUNTS } from "#payout/pulse.ts";

const Alarm = z.object({
  code: z.enum(ALARM_CODES),
  /** "stop": money does not move, or may be in danger. "know": as a person wanted it. */
  level: z.enum(["stop", "look", "know"]),
  says: z.string(),
});

/** Payouts that somebody should look at. */
const Heap = z.object({
  count: z.int(),
  sums: z.array(Amount),
  oldest_at: Timestamp.nullable(),
});

const Pause = z.object({
  reason: z.string(),
  actor: z.string(),
  /** Of a user the name; others as they stand. */
  actor_name: z.string(),
  since: Timestamp,
  /** Null: until a person resumes it. */
  until: Timestamp.nullable(),
  mode: z.enum(PAUSE_MODES),
  /** How many batches still send, because they had begun before it. */
  finishing: z.int(),
});

const Lane = z.object({
  lane: z.string(),
  merchant_code: z.string(),
  currency: z.string(),
  pause: Pause.nullable(),
  stop: StopShown.nullable(),
  brakes: LaneBrakesShown,
  /** Null: it is sent as fast as it can be. */
  limits: Limits.nullable(),
  to_send: z.int(),
  submitting: z.int(),
  accepted: z.int(),
  in_doubt: z.int(),
  /** The counts were broken off: there are at least so many. */
  is_more: z.boolean(),
});

const Worker = z.object({
  id: z.string(),
  host: z.string(),
  pid: z.int(),
  version: z.string(),
  /** Of the version of the server that tells. */
  is_current: z.boolean(),
  is_alive: z.boolean(),
  /** False: HTTP alone. */
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
  /** Null: they could not be asked. */
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
      /** 0: no limit but the machine's. */
      max_bytes: z.int(),
    })
    .nullable(),
});

const Counts = z.record(z.enum(PULSE_COUNTS), z.int());

const Overview = z.object({
  at: Timestamp,
  /** The worst first; empty: healthy. */
  alarms: z.array(Alarm),
  in_doubt: Heap,
  held: Heap.extend({
    by_cause: z.array(Heap.extend({ cause: z.string(), text: z.string() })),
  }),
  /** Of the last minute. */
  sends_per_second: z.number(),
  /** Of the last ten minutes. */
  counts: Counts,
  p50_ms: z.int().nullable(),
  p95_ms: z.int().nullable(),
  lanes: z.array(Lane),
  pause_of_all: Pause.nullable(),
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

const Freeze = z.object({
  freeze: z
    .object({
      epoch: z.int(),
      /** Null: not the ledger is frozen, this server has the LEDGER_EPOCH of an earlier one. */
      since: Timestamp.nullable(),
      reason: z.string(),
      lanes: z.array(z.object({ lane: z.string(), open: z.int(), unasked: z.int() })),
      held_count: z.int(),
      held: z.array(
        z.object({ transaction_code: z.string(), batch_id: z.string(), text: z.string() }),
      ),
      /** Codes that callbacks have named since and that this ledger does not have. */
      stray_count: z.int(),
      stray_codes: z.array(z.string()),
      /** Batches that the ledger has forgotten, as the restore memories know them, and that nobody has acknowledged. */
      lost: z.array(
        z.object({
          batch_id: z.string(),
          file: z.string(),
          taken_in_at: Timestamp,
          rows: z.int(),
          totals: z.record(z.string(), z.string()),
          host: z.string(),
        }),
      ),
      /** Batches in quarantine about which nobody has decided. */
      quarantine: z.array(
        z.object({ batch_id: z.string(), file: z.string(), arrived_at: Timestamp, rows: z.int() }),
      ),
      /** Null: this machine keeps no restore memory. */
      memory_since: Timestamp.nullable(),
      /** False: files may have been paid that neither the ledger nor the memory of this machine knows. */
      memory_covers: z.boolean(),
    })
    .nullable(),
});

export const OPERATIONS_API = {
  "GET /api/operations": {
    may: "read",
    summary: "Is everything well? What is not, and how each part stands",
    answer: Overview,
  },
  "GET /api/metrics": {
    may: "read",
    summary: "The same as Prometheus reads it",
    answer: "file",
  },
  "GET /api/operations/rates": {
    may: "read",
    summary:
      "What was sent and answered in the last minutes, step by step; empty steps are left out",
    query: z.strictObject({ minutes: z.coerce.number().int().min(5).max(1_440).default(30) }),
    answer: Rates,
  },
  "GET /api/operations/runbook/:alarm": {
    may: "read",
    summary: "What an alarm means, whether money is at risk, and what is safe to do",
    params: z.object({ alarm: z.enum(ALARM_CODES) }),
    answer: z.object({
      alarm: z.enum(ALARM_CODES),
      parts: z.array(z.object({ heading: z.string(), text: z.string() })),
    }),
  },
  "POST /api/lanes/pause": {
    may: "operate",
    summary:
      "Send nothing more of a lane, or of all, or no new batch; what was sent is still followed",
    body: z.object({
      lane: LaneName,
      reason: Reason,
      until: Timestamp.nullable().default(null),
      /** "freeze": nothing more is sent. "drain": batches of which something was sent finish, nothing else begins. */
      mode: z.enum(PAUSE_MODES).default("freeze"),
    }),
    answer: "nothing",
  },
  "POST /api/lanes/resume": {
    may: "operate",
    summary: "Take a person's pause back; that of all leaves those of single lanes",
    body: z.object({ lane: LaneName, reason: Reason }),
    answer: "nothing",
  },
  "POST /api/lanes/open": {
    may: "operate",
    summary: "Open a lane that stopped by itself: what stopped it is mended",
    body: z.object({ lane: LaneName, reason: Reason }),
    answer: "nothing",
  },
  "GET /api/operations/freeze": {
    may: "operate",
    summary: "Why nothing is sent, what was asked for since, and what came to light",
    answer: Freeze,
  },
  "POST /api/operations/unfreeze": {
    may: "operate",
    summary: "Let a frozen ledger send again, when every open payout was asked for",
    stepUp: true,
    keys: false,
    body: z.object({
      /** As it was seen: another one means that something changed meanwhile. */
      epoch: z.int(),
      reason: Reason,
      /** What cannot be asked for is held, for a person. */
      hold_unasked: z.boolean().default(false),
      /** Batches in quarantine that may be approved and sent, and those that stay: each is named in one of the two. */
      release: z.array(z.string().max(20)).max(1_000).default([]),
      keep: z.array(z.string().max(20)).max(1_000).default([]),
      /** Every batch that the ledger has forgotten, by its id. */
      acknowledge_lost: z.array(z.string().max(20)).max(10_000).default([]),
      /** Needed where the memory does not cover the gap. */
      without_memory: z.boolean().default(false),
    }),
    answer: "nothing",
  },
} as const satisfies Record<string, Operation>;
