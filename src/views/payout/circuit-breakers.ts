import type { z } from "zod";
import type { CanaryShown, LaneBrakesShown, StopShown } from "#api/app/circuit-breakers.ts";
import type { Canary, StoppedLane } from "#ledger/ledger.ts";
import { amountOf } from "#money/format.ts";
import type { LaneBrakes } from "#payout/lane/circuit-breaker-settings.ts";
import { BRAKES } from "#payout/circuit-breakers.ts";

/** Returns a stopped lane as the API shows it. */
export const stopShown = (stop: StoppedLane): z.output<typeof StopShown> => ({
  reason: stop.reason,
  needs: stop.needs,
  since: stop.stoppedAt.toISOString(),
  retry_at: stop.retryAt?.toISOString() ?? null,
  breaker: { code: stop.breaker, ...BRAKES[stop.breaker] },
});

/** Returns the canary of a batch as the API shows it. */
export const canaryShown = (
  payouts: number,
  canaries: readonly Canary[],
): z.output<typeof CanaryShown> => ({
  payouts,
  lanes: canaries.map(({ lane, payouts: first, settled, failed, releasedAt, releasedBy }) => ({
    lane,
    payouts: first,
    settled,
    state: releasedAt ? "released" : failed === null ? "waiting" : "failed",
    reason: failed,
    released_by: releasedBy,
  })),
  breaker: { code: "canary", ...BRAKES.canary },
});

/** Returns the circuit breaker settings of a lane as the API shows them. */
export const laneBrakesShown = ({
  in_doubt_amount: amount,
  ...counts
}: LaneBrakes): z.output<typeof LaneBrakesShown> => ({
  counts,
  in_doubt_amount: amount && amountOf(amount),
});
