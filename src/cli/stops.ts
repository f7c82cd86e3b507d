import { EVERY_LANE, laneName } from "#payout/lane.ts";
import type { LanePause, Ledger, StoppedLane } from "#ledger/ledger.ts";

/** What keeps these lanes from sending: automatic stops and people's pauses. */
export async function stopsOf(lanes: readonly string[], ledger: Ledger): Promise<StoppedLane[]> {
  const [stopped, pauses] = await Promise.all([ledger.stoppedLanes(), ledger.lanePauses()]);
  const covers = (pause: LanePause, lane: string) => [lane, EVERY_LANE].includes(pause.lane);
  return lanes.flatMap((lane) => [
    ...stopped.filter((stop) => stop.lane === lane),
    ...pauses.filter((pause) => covers(pause, lane)).map((pause) => stopOf(pause, lane)),
  ]);
}

const stopOf = (pause: LanePause, lane: string): StoppedLane => ({
  lane,
  reason: pauseText(pause),
  needs: pause.until ? "wait" : "person",
  retryAt: pause.until,
  stoppedAt: pause.pausedAt,
});

const pauseText = ({ lane, actor, reason }: LanePause): string =>
  `paused by ${actor}: ${reason}; go on with: payrun lane resume ${laneName(lane)} --reason TEXT`;
