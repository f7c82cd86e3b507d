import type { ServerDeps } from "#views/deps.ts";
import { findBreakerOpenings } from "#ledger/payout/lane/lanes.ts";
import { findBreakerInputs } from "#ledger/operations/breaker-inputs.ts";
import type { LaneWork } from "#ledger/operations/overview.ts";
import { countBadSends } from "#payout/lane/lane-health.ts";

type LaneCounts = Pick<LaneWork, "lane" | "accepted" | "inDoubt">;

/**
 * Returns for each lane the present values of the circuit breakers with a threshold, the value at
 * which each stops the lane, when each last opened, and when the lane last restarted.
 */
export async function findBreakerReadings(
  { database, ledger, deps }: ServerDeps,
  lanes: readonly string[],
  work: readonly LaneCounts[],
) {
  const [inputs, openings] = await Promise.all([
    findBreakerInputs(database, lanes),
    findBreakerOpenings(database, lanes),
  ]);
  return Promise.all(
    inputs.map(async ({ lane, marks, unknownTimes, restartedAt }) => {
      const { accepted = 0, inDoubt = 0 } = work.find((each) => each.lane === lane) ?? {};
      const thresholds = deps.thresholdsOf(lane);
      const { errors_percent: percent, errors_sends: sends } = thresholds;
      const { errors, silence, late } = countBadSends(marks, sends);
      const minutes = thresholds.no_final_state_minutes;
      const countMax = thresholds.no_final_state_payouts;
      const unfinished =
        accepted === 0
          ? 0
          : await ledger.payout.countWithoutFinalState({ lane, minutes, countMax });
      return {
        lane,
        breaker_openings: openings
          .filter((each) => each.lane === lane)
          .map(({ breaker, openedAt }) => ({ breaker, opened_at: openedAt.toISOString() })),
        restarted_at: restartedAt?.toISOString() ?? null,
        breaker_readings: [
          reading("errors", errors, Math.ceil((percent * sends) / 100)),
          reading("silence", silence, thresholds.silence_sends),
          reading("slow", late, thresholds.late_sends),
          // These two stop the lane above their thresholds.
          reading("unknown_answer", unknownTimes, thresholds.unknown_answers + 1),
          reading("in_doubt", inDoubt, thresholds.in_doubt_count + 1),
          reading("no_final_state", unfinished, countMax),
        ],
      };
    }),
  );
}

const reading = <Breaker extends string>(breaker: Breaker, value: number, stopsAt: number) => ({
  breaker,
  value,
  stops_at: stopsAt,
});
