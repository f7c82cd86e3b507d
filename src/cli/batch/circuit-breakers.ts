import type { ShownBatch } from "#cli/batch/batches.ts";
import { plural } from "#cli/terminal/output.ts";
import { CIRCUIT_BREAKERS, type CircuitBreaker } from "#payout/circuit-breakers.ts";

/**
 * Explains what a circuit breaker protects and how sending resumes. Printed below the line with the
 * reason for the stop.
 */
export const circuitBreakerText = (breaker: CircuitBreaker): string => {
  const { name, protects, opens } = CIRCUIT_BREAKERS[breaker];
  return `  circuit breaker: ${name}\n  protects ${protects}\n  sending resumes ${opens}`;
};

/** Describes the state of a batch's canary, and which payouts it holds back. */
export function canaryLines({ payouts, lanes }: ShownBatch["canary"]): string[] {
  if (lanes.length === 0) {
    return payouts === 0
      ? []
      : [
          `canary: ${plural(payouts, "payout")} in each lane must settle before the others are sent`,
        ];
  }
  const waits = lanes.some(({ state }) => state !== "released");
  const lines = lanes.map((each) => {
    const now = `${each.lane}: ${each.settled} of ${each.payouts} settled`;
    return `canary in ${now}; ${CANARY_TEXTS[each.state]}${each.reason === null ? "" : ` (${each.reason})`}`;
  });
  return waits ? [...lines, circuitBreakerText("canary")] : lines;
}

const CANARY_TEXTS = {
  waiting: "the other payouts are waiting",
  released: "the other payouts have been released",
  failed: "the other payouts are waiting for a decision",
} as const;
