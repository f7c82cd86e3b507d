import type { PayDeps } from "#flows/deps.ts";
import { ceilingOf } from "#payout/brake-settings.ts";
import { isAbove, mayOpenAgain } from "#payout/brakes.ts";

/**
 * Stops lanes with too much in doubt, so that people see why nothing is sent, and opens them when half of it is
 * explained. What holds is the ceiling in the claim; the stop tells of it (F57).
 */
export async function holdDoubt(
  lanes: ReadonlySet<string>,
  { ledger, log, brakesOf }: Pick<PayDeps, "ledger" | "log" | "brakesOf">,
): Promise<void> {
  const stopped = new Map((await ledger.stoppedLanes()).map((stop) => [stop.lane, stop]));
  for (const lane of lanes) {
    const stop = stopped.get(lane);
    if (stop && stop.brake !== "doubt") continue;
    const doubt = await ledger.doubtIn(lane);
    const ceiling = ceilingOf(brakesOf(lane));
    if (!stop && isAbove(doubt, ceiling)) {
      log.warn({ lane, in_doubt: doubt.count }, "lane stopped: too much in doubt");
      const what = `${doubt.count} payouts`;
      const reason = `${what} are in doubt, too many or too much; the gateway is asked about them before more are sent`;
      await ledger.stopLane(lane, { until: "answers", brake: "doubt", reason });
    }
    if (stop && mayOpenAgain(doubt, ceiling)) await ledger.openLanes([lane]);
  }
}
