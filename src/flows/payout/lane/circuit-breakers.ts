import type { PayDeps } from "#flows/deps.ts";
import { ceilingOf } from "#payout/lane/circuit-breaker-settings.ts";
import { isAbove, mayOpenAgain } from "#payout/circuit-breakers.ts";

type Deps = Pick<PayDeps, "ledger" | "log" | "brakesOf">;

/** The state of a lane as one circuit breaker sees it. */
interface Sight {
  /** The reason to stop the lane, shown to people. Null: there is no reason to stop. */
  readonly why: string | null;
  /** True if this circuit breaker may open the lane again after its own stop. */
  readonly isOver: boolean;
}

const LOOKS = [
  ["in_doubt", lookAtDoubt],
  ["no_final_state", lookAtUnended],
] as const;

/**
 * Stops and opens lanes according to their state in the ledger. A circuit breaker opens only the
 * lanes that it stopped itself.
 */
export async function watchLanes(lanes: ReadonlySet<string>, deps: Deps): Promise<void> {
  const { ledger, log } = deps;
  const stops = new Map((await ledger.payout.stoppedLanes()).map((stop) => [stop.lane, stop]));
  for (const lane of lanes) {
    const stop = stops.get(lane);
    for (const [breaker, look] of LOOKS) {
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
async function lookAtDoubt(lane: string, { ledger, brakesOf }: Deps): Promise<Sight> {
  const doubt = await ledger.payout.doubtIn(lane);
  const ceiling = ceilingOf(brakesOf(lane));
  const why = `the in-doubt limit is exceeded (payouts in doubt: ${doubt.count}); the lane will open once status queries have reduced the payouts in doubt to half the limit`;
  return { why: isAbove(doubt, ceiling) ? why : null, isOver: mayOpenAgain(doubt, ceiling) };
}

/** Many payouts were accepted, and none has reached a final state. */
async function lookAtUnended(lane: string, { ledger, brakesOf }: Deps): Promise<Sight> {
  const { no_final_state_payouts: countMax, no_final_state_minutes: minutes } = brakesOf(lane);
  const isOver = (await ledger.payout.unendedIn({ lane, minutes, countMax })) < countMax;
  const why = `at least ${countMax} payouts were accepted more than ${minutes} minutes ago, and none has reached a final state since`;
  return { why: isOver ? null : why, isOver };
}
