import type { z } from "zod";
import type { Light } from "#api/app/frame.ts";
import { iso } from "#views/approval/approval-state.ts";
import type { Desk } from "#views/deps.ts";
import { latencyOf } from "#views/operations/throughput.ts";
import { knownLanes } from "#ledger/payout/lane/lanes.ts";
import {
  lastAsked,
  pulses,
  sinceSweepMs,
  workerLines,
} from "#ledger/operations/throughput-samples.ts";
import { lightOf } from "#operations/status-indicator.ts";
import { EVERY_LANE } from "#payout/lane/lane.ts";

export type LightShown = z.output<typeof Light>;

const LATELY_SECONDS = 120;

/**
 * Returns the status indicator of the gateway. Many users watch it all day, so it reads only the
 * few facts that it needs.
 */
export async function lightView({
  database,
  ledger,
  clock,
}: Pick<Desk, "database" | "ledger" | "clock">): Promise<LightShown> {
  const [freeze, workers, askedAt, lanes, stopped, paused, lately] = await Promise.all([
    ledger.integrity.verify(),
    workerLines(database),
    lastAsked(database),
    knownLanes(database),
    ledger.payout.stoppedLanes(),
    ledger.payout.lanePauses(),
    pulses(database, { seconds: LATELY_SECONDS, step: LATELY_SECONDS }),
  ]);
  const pauses = paused.map(({ pausedAt, ...pause }) => ({ ...pause, since: pausedAt }));
  const nowMs = clock.nowMs();
  const { since, idle, ...light } = lightOf({
    now: new Date(nowMs),
    freeze,
    workers: workers.map((worker) => ({ ...worker, sweptAgoMs: sinceSweepMs(worker, nowMs) })),
    askedAgoMs: askedAt && nowMs - askedAt.getTime(),
    lanes,
    stopped: stopped.map(({ stoppedAt, ...stop }) => ({ ...stop, since: stoppedAt })),
    paused: pauses.filter(({ lane }) => lane !== EVERY_LANE),
    pauseOfAll: pauses.find(({ lane }) => lane === EVERY_LANE) ?? null,
    p95Ms: latencyOf(lately).p95_ms,
  });
  return {
    ...light,
    since: iso(since),
    idle: idle && { ...idle, since: iso(idle.since) },
    frozen: freeze?.reason ?? null,
  };
}
