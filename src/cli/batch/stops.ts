import { EVERY_LANE, nameOfLane } from "#payout/lane/lane.ts";
import type { Stop } from "#cli/batch/batches.ts";
import type { LanePause, Ledger, StoppedLane } from "#ledger/ledger.ts";

/** Returns what stops these lanes of a batch: automatic stops and pauses by people. */
export async function stopsOf(
  batchId: string,
  lanes: readonly string[],
  ledger: Ledger,
): Promise<Stop[]> {
  const [stopped, pauses] = await Promise.all([
    ledger.payout.stoppedLanes(),
    ledger.payout.lanePauses(),
  ]);
  const covers = (pause: LanePause, lane: string) =>
    [lane, EVERY_LANE].includes(pause.lane) && !pause.finishing?.includes(batchId);
  return lanes.flatMap((lane) => [
    ...stopped.filter((stop) => stop.lane === lane).map(stopShown),
    ...pauses.filter((pause) => covers(pause, lane)).map((pause) => stopOf(pause, lane)),
  ]);
}

const stopShown = ({ lane, reason, needs, stoppedAt, retryAt, breaker }: StoppedLane): Stop => ({
  lane,
  reason,
  needs,
  stopped_at: stoppedAt.toISOString(),
  retry_at: retryAt?.toISOString() ?? null,
  breaker,
});

const stopOf = (pause: LanePause, lane: string): Stop => ({
  lane,
  reason: pauseText(pause),
  needs: pause.until ? "wait" : "person",
  stopped_at: pause.pausedAt.toISOString(),
  retry_at: pause.until?.toISOString() ?? null,
  breaker: null,
});

/** Says who paused a lane and why, and names the command that resumes it. */
export const pauseText = ({
  lane,
  actor,
  reason,
}: Pick<LanePause, "lane" | "actor" | "reason">): string =>
  `paused by ${actor}: ${reason}; to resume: payrun lane resume ${nameOfLane(lane)} --reason TEXT`;
