import { findBreakerReadings } from "#views/operations/breaker-readings.ts";
import { laneThresholdsView, laneStopView } from "#views/payout/circuit-breakers.ts";
import type { ServerDeps } from "#views/deps.ts";
import { rateLimitsView } from "#views/payout/rate-limits.ts";
import { EVERY_LANE } from "#payout/lane/lane.ts";
import { findKnownLanes } from "#ledger/payout/lane/lanes.ts";
import type { LanePause } from "#ledger/ledger.ts";
import { findLaneNames } from "#ledger/payout/lane/account-names.ts";
import { countLaneWork } from "#ledger/operations/overview.ts";
import { findActorNames } from "#ledger/people/names.ts";
import { laneParts } from "#payout/payout.ts";

const pauseView = (pause: LanePause | undefined, nameOf: (actor: string) => string) =>
  pause
    ? {
        reason: pause.reason,
        actor: pause.actor,
        actor_name: nameOf(pause.actor),
        since: pause.pausedAt.toISOString(),
        until: pause.until?.toISOString() ?? null,
        mode: pause.finishing === null ? ("freeze" as const) : ("drain" as const),
        finishing: pause.finishing?.length ?? 0,
      }
    : null;

/** Returns every lane with its work in progress, its limits, and why it sends nothing. */
export async function lanesOf(server: ServerDeps) {
  const { database, ledger, deps } = server;
  const [known, work, stopped, pauses, paced, nameOfLane] = await Promise.all([
    findKnownLanes(database),
    countLaneWork(database),
    ledger.payout.stoppedLanes(),
    ledger.payout.lanePauses(),
    ledger.payout.limitedLanes(),
    findLaneNames(database),
  ]);
  const [nameOf, readings] = await Promise.all([
    findActorNames(database, [
      ...pauses.map(({ actor }) => actor),
      ...paced.flatMap(({ setBy }) => setBy ?? []),
    ]),
    findBreakerReadings(server, known, work),
  ]);
  const shown = known.map((lane) => {
    const stop = stopped.find((each) => each.lane === lane);
    const read = readings.find((each) => each.lane === lane);
    const left = work.find((each) => each.lane === lane);
    const { merchantCode, currency } = laneParts(lane);
    return {
      lane,
      name: nameOfLane(lane),
      merchant_code: merchantCode,
      currency,
      pause: pauseView(
        pauses.find((pause) => pause.lane === lane),
        nameOf,
      ),
      stop: stop ? laneStopView(stop) : null,
      breakers: laneThresholdsView(deps.thresholdsOf(lane)),
      breaker_readings: read?.breaker_readings ?? [],
      breaker_openings: read?.breaker_openings ?? [],
      restarted_at: read?.restarted_at ?? null,
      limits: rateLimitsView(
        paced.find((pace) => pace.lane === lane),
        nameOf,
      ),
      to_send: left?.toSend ?? 0,
      submitting: left?.submitting ?? 0,
      accepted: left?.accepted ?? 0,
      in_doubt: left?.inDoubt ?? 0,
      is_more: left?.isMore ?? false,
    };
  });
  const pauseOfAll = pauseView(
    pauses.find(({ lane }) => lane === EVERY_LANE),
    nameOf,
  );
  return { shown, stopped, pauses, pauseOfAll, nameOf: nameOfLane };
}
