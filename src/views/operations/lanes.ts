import { laneBrakesShown, stopShown } from "#views/payout/circuit-breakers.ts";
import type { Desk } from "#views/deps.ts";
import { limitsShown } from "#views/payout/rate-limits.ts";
import { EVERY_LANE } from "#payout/lane/lane.ts";
import { knownLanes } from "#ledger/payout/lane/lanes.ts";
import type { LanePause } from "#ledger/ledger.ts";
import { laneWork } from "#ledger/operations/overview.ts";
import { namesOf } from "#ledger/people/names.ts";
import { laneParts } from "#payout/payout.ts";

const pauseShown = (pause: LanePause | undefined, nameOf: (actor: string) => string) =>
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
export async function lanesOf({ database, ledger, deps }: Desk) {
  const [known, work, stopped, pauses, paced] = await Promise.all([
    knownLanes(database),
    laneWork(database),
    ledger.payout.stoppedLanes(),
    ledger.payout.lanePauses(),
    ledger.payout.pacedLanes(),
  ]);
  const nameOf = await namesOf(database, [
    ...pauses.map(({ actor }) => actor),
    ...paced.flatMap(({ setBy }) => setBy ?? []),
  ]);
  const shown = known.map((lane) => {
    const stop = stopped.find((each) => each.lane === lane);
    const left = work.find((each) => each.lane === lane);
    const { merchantCode, currency } = laneParts(lane);
    return {
      lane,
      merchant_code: merchantCode,
      currency,
      pause: pauseShown(
        pauses.find((pause) => pause.lane === lane),
        nameOf,
      ),
      stop: stop ? stopShown(stop) : null,
      breakers: laneBrakesShown(deps.brakesOf(lane)),
      limits: limitsShown(
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
  const pauseOfAll = pauseShown(
    pauses.find(({ lane }) => lane === EVERY_LANE),
    nameOf,
  );
  return { shown, stopped, pauses, pauseOfAll };
}
