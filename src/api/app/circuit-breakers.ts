import { z } from "zod";
import { Amount, Timestamp } from "#api/app/shapes.ts";
import { CIRCUIT_BREAKER_SETTING_NAMES } from "#payout/lane/circuit-breaker-settings.ts";
import { CIRCUIT_BREAKER_NAMES } from "#payout/circuit-breakers.ts";

/** A description of a circuit breaker: its cause, the risk it prevents, and how to open it. */
const CircuitBreakerView = z.object({
  code: z.enum(CIRCUIT_BREAKER_NAMES),
  name: z.string(),
  protects: z.string(),
  opens: z.string(),
});

/** The canary: the first payouts of each lane, and whether the others wait for them. */
export const CanaryView = z.object({
  /** Per lane; 0 for none. */
  payouts: z.int(),
  /** Empty before approval. Lanes that have no further payouts are omitted. */
  lanes: z.array(
    z.object({
      lane: z.string(),
      payouts: z.int(),
      settled: z.int(),
      state: z.enum(["waiting", "released", "failed"]),
      /** Why the failed canary paused the batch. */
      reason: z.string().nullable(),
      released_by: z.string().nullable(),
    }),
  ),
  breaker: CircuitBreakerView,
});

/** Why a lane does not send. */
export const LaneStopView = z.object({
  reason: z.string(),
  needs: z.enum(["wait", "person", "answers"]),
  since: Timestamp,
  retry_at: Timestamp.nullable(),
  /** Null if a person paused it. */
  breaker: CircuitBreakerView.nullable(),
});

/** Why a lane of a batch does not send. */
export const BatchLaneStopView = LaneStopView.extend({
  /** Name of the person who paused the lane; null if a circuit breaker stopped it. */
  paused_by: z.string().nullable(),
  /** Whether the pause applies to all lanes. */
  all_lanes: z.boolean(),
});

/** Thresholds for the circuit breakers of a lane. */
export const LaneThresholdsView = z.object({
  counts: z.record(z.enum(CIRCUIT_BREAKER_SETTING_NAMES), z.int()),
  /** Highest amount in doubt at the same time; null if only the count is limited. */
  in_doubt_amount: Amount.nullable(),
});
