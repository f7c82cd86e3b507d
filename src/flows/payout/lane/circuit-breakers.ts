import type { PayDeps } from "#flows/deps.ts";
import { inDoubtLimitOf } from "#payout/lane/circuit-breaker-settings.ts";
import { isAboveLimit, mayReopen } from "#payout/circuit-breakers.ts";

type Deps = Pick<PayDeps, "ledger" | "log" | "thresholdsOf">;

/** The state of a lane as one circuit breaker sees it. */
interface LaneCheck {
  /** The reason to stop the lane, shown to people. Null: there is no reason to stop. */
  readonly why: string | null;
  /** True if this circuit breaker may reopen the lane after its own stop. */
  readonly isOver: boolean;
}

const CHECKS = [
  ["in_doubt", checkInDoubtLimit],
  ["no_final_state", checkNoFinalState],
] as const;

/**
 * Stops and opens lanes according to their state in the ledger. A circuit breaker opens only the
 * lanes that it stopped itself.
 */
export async function checkLanes(lanes: ReadonlySet<string>, deps: Deps): Promise<void> {
  const { ledger, log } = deps;
  const stops = new Map((await ledger.payout.stoppedLanes()).map((stop) => [stop.lane, stop]));
  for (const lane of lanes) {
    const stop = stops.get(lane);
    for (const [breaker, look] of CHECKS) {
      if (stop && stop.breaker !== breaker) continue;
      const { why, isOver } = await look(lane, deps);
      if (stop && isOver) await ledger.payout.openLanes([lane]);
      if (stop || why === null) continue;
      await ledger.payout.stopLane(lane, { until: "answers", breaker, reason: why });
      log.warn({ lane, breaker, reason: why }, "lane stopped");
      break;
    }
  }
}

/**
 * In-doubt limit: the stop shows people why payouts are not sent, until the doubt has fallen to
 * half of the limit. The claim enforces the limit; the stop only reports it (F57).
 */
async function checkInDoubtLimit(lane: string, { ledger, thresholdsOf }: Deps): Promise<LaneCheck> {
  const doubt = await ledger.payout.inDoubtTotal(lane);
  const ceiling = inDoubtLimitOf(thresholdsOf(lane));
  const why = `the in-doubt limit is exceeded (payouts in doubt: ${doubt.count}); the lane will open once status queries have reduced the payouts in doubt to half the limit`;
  return { why: isAboveLimit(doubt, ceiling) ? why : null, isOver: mayReopen(doubt, ceiling) };
}

/** Many payouts were accepted, and none has reached a final state. */
async function checkNoFinalState(lane: string, { ledger, thresholdsOf }: Deps): Promise<LaneCheck> {
  const { no_final_state_payouts: countMax, no_final_state_minutes: minutes } = thresholdsOf(lane);
  const isOver =
    (await ledger.payout.countWithoutFinalState({ lane, minutes, countMax })) < countMax;
  const why = `at least ${countMax} payouts were accepted more than ${minutes} minutes ago, and none has reached a final state since`;
  return { why: isOver ? null : why, isOver };
}
