import type { PayDeps } from "#flows/deps.ts";
import type { Ledger, StoppedLane } from "#ledger/ledger.ts";
import { ceilingOf } from "#payout/brake-settings.ts";
import { isAbove, mayOpenAgain } from "#payout/brakes.ts";

type Deps = Pick<PayDeps, "ledger" | "log" | "brakesOf">;

/** Stops and opens the lanes by what the ledger shows of them. */
export async function watchLanes(lanes: ReadonlySet<string>, deps: Deps): Promise<void> {
  await holdDoubt(lanes, deps);
  await holdUnended(lanes, deps);
}

/**
 * Stops lanes with too much in doubt, so that people see why nothing is sent, and opens them when half of it is
 * explained. What holds is the ceiling in the claim; the stop tells of it (F57).
 */
async function holdDoubt(
  lanes: ReadonlySet<string>,
  { ledger, log, brakesOf }: Deps,
): Promise<void> {
  const stopped = await stopsIn(ledger);
  for (const lane of lanes) {
    const stop = stopped.get(lane);
    if (stop && stop.brake !== "doubt") continue;
    const doubt = await ledger.doubtIn(lane);
    const ceiling = ceilingOf(brakesOf(lane));
    if (!stop && isAbove(doubt, ceiling)) {
      log.warn({ lane, in_doubt: doubt.count }, "lane stopped: too much in doubt");
      const reason = `${doubt.count} payouts are in doubt, too many or too much; the gateway is asked about them before more are sent`;
      await ledger.stopLane(lane, { until: "answers", brake: "doubt", reason });
    }
    if (stop && mayOpenAgain(doubt, ceiling)) await ledger.openLanes([lane]);
  }
}

/** Stops lanes of which many payouts were accepted and none ends, and opens them when one does. */
async function holdUnended(
  lanes: ReadonlySet<string>,
  { ledger, log, brakesOf }: Deps,
): Promise<void> {
  const stopped = await stopsIn(ledger);
  for (const lane of lanes) {
    const stop = stopped.get(lane);
    if (stop && stop.brake !== "unended") continue;
    const { unended_payouts: countMax, unended_minutes: minutes } = brakesOf(lane);
    const count = await ledger.unendedIn({ lane, minutes, countMax });
    if (!stop && count >= countMax) {
      const reason = `${countMax} payouts or more were accepted over ${minutes} minutes ago, and none has ended since`;
      await ledger.stopLane(lane, { until: "answers", brake: "unended", reason });
      log.warn({ lane, reason }, "lane stopped");
    }
    if (stop && count < countMax) await ledger.openLanes([lane]);
  }
}

const stopsIn = async (ledger: Ledger): Promise<ReadonlyMap<string, StoppedLane>> =>
  new Map((await ledger.stoppedLanes()).map((stop) => [stop.lane, stop]));
