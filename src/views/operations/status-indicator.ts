import type { z } from "zod";
import type { StatusIndicator } from "#api/app/frame.ts";
import { iso } from "#views/approval/approval-state.ts";
import type { ServerDeps } from "#views/deps.ts";
import { latencyOf } from "#views/operations/throughput.ts";
import { findKnownLanes } from "#ledger/payout/lane/lanes.ts";
import {
  findLastRequestTime,
  findThroughputSamples,
  sinceSweepMs,
  findWorkers,
} from "#ledger/operations/throughput-samples.ts";
import { statusIndicator } from "#operations/status-indicator.ts";
import { EVERY_LANE } from "#payout/lane/lane.ts";

export type StatusIndicatorView = z.output<typeof StatusIndicator>;

const LATELY_SECONDS = 120;

/**
 * Returns the status indicator of the gateway. Many users watch it all day, so it reads only the
 * few facts that it needs.
 */
export async function statusIndicatorView({
  database,
  ledger,
  clock,
}: Pick<ServerDeps, "database" | "ledger" | "clock">): Promise<StatusIndicatorView> {
  const [freeze, workers, askedAt, lanes, stopped, paused, lately] = await Promise.all([
    ledger.integrity.verify(),
    findWorkers(database),
    findLastRequestTime(database),
    findKnownLanes(database),
    ledger.payout.stoppedLanes(),
    ledger.payout.lanePauses(),
    findThroughputSamples(database, { seconds: LATELY_SECONDS, step: LATELY_SECONDS }),
  ]);
  const pauses = paused.map(({ pausedAt, ...pause }) => ({ ...pause, since: pausedAt }));
  const nowMs = clock.nowMs();
  const { since, idle, ...light } = statusIndicator({
    now: new Date(nowMs),
    freeze,
    workers: workers.map((worker) => ({ ...worker, sweptAgoMs: sinceSweepMs(worker, nowMs) })),
    requestedAgoMs: askedAt && nowMs - askedAt.getTime(),
    lanes,
    stopped: stopped.map(({ stoppedAt, ...stop }) => ({ ...stop, since: stoppedAt })),
    paused: pauses.filter(({ lane }) => lane !== EVERY_LANE),
    globalPause: pauses.find(({ lane }) => lane === EVERY_LANE) ?? null,
    p95Ms: latencyOf(lately).p95_ms,
  });
  return {
    ...light,
    since: iso(since),
    idle: idle && { ...idle, since: iso(idle.since) },
    frozen: freeze?.reason ?? null,
  };
}
