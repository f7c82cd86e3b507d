import type { z } from "zod";
import type { CanaryView, LaneThresholdsView, LaneStopView } from "#api/app/circuit-breakers.ts";
import type { Canary, StoppedLane } from "#ledger/ledger.ts";
import { amountOf } from "#money/format.ts";
import type { LaneThresholds } from "#payout/lane/circuit-breaker-settings.ts";
import { CIRCUIT_BREAKERS } from "#payout/circuit-breakers.ts";

/** Returns a stopped lane as the API shows it. */
export const laneStopView = (stop: StoppedLane): z.output<typeof LaneStopView> => ({
  reason: stop.reason,
  needs: stop.needs,
  since: stop.stoppedAt.toISOString(),
  retry_at: stop.retryAt?.toISOString() ?? null,
  breaker: { code: stop.breaker, ...CIRCUIT_BREAKERS[stop.breaker] },
});

/** Returns the canary of a batch as the API shows it. */
export const canaryView = (
  payouts: number,
  canaries: readonly Canary[],
): z.output<typeof CanaryView> => ({
  payouts,
  lanes: canaries.map(({ lane, payouts: first, settled, failed, releasedAt, releasedBy }) => ({
    lane,
    payouts: first,
    settled,
    state: releasedAt ? "released" : failed === null ? "waiting" : "failed",
    reason: failed,
    released_by: releasedBy,
  })),
  breaker: { code: "canary", ...CIRCUIT_BREAKERS.canary },
});

/** Returns the circuit breaker settings of a lane as the API shows them. */
export const laneThresholdsView = ({
  in_doubt_amount: amount,
  ...counts
}: LaneThresholds): z.output<typeof LaneThresholdsView> => ({
  counts,
  in_doubt_amount: amount && amountOf(amount),
});
