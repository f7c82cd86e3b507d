import type { z } from "zod";
import type { OPERATIONS_API } from "#api/operations/operations.ts";
import { whyNoJobs } from "#jobs/redis.ts";
import { resolveJob, submitJob } from "#jobs/submit.ts";
import { callbackJob } from "#jobs/callback.ts";
import { depositJob } from "#jobs/deposit.ts";
import { laneBrakesShown, stopShown } from "#views/payout/circuit-breakers.ts";
import type { Desk } from "#views/deps.ts";
import { limitsShown } from "#views/payout/rate-limits.ts";
import { epochOf } from "#ledger/integrity/freeze.ts";
import { inspectDatabase } from "#ledger/store/server-properties.ts";
import { EVERY_LANE } from "#payout/lane/lane.ts";
import { knownLanes } from "#ledger/payout/lane/lanes.ts";
import type { LanePause } from "#ledger/ledger.ts";
import { namesOf } from "#ledger/people/names.ts";
import { openDeposits } from "#ledger/deposit/counts.ts";
import {
  batchesForPerson,
  type Heap,
  heapsOf,
  laneWork,
  silentLanes,
  unapprovedBatches,
} from "#ledger/operations/overview.ts";
import {
  pulses,
  type PulseSum,
  sinceSweepMs,
  workerLines,
} from "#ledger/operations/throughput-samples.ts";
import { amountOf } from "#money/format.ts";
import { sumByCurrency } from "#money/money.ts";
import { wordsOf } from "#base/log.ts";
import { alarmsOf, SILENCE_MAX_MS, SILENT_MS } from "#operations/alarms.ts";
import { laneParts } from "#payout/payout.ts";
import { latencyAt, PULSE_COUNTS, type PulseCount } from "#operations/traffic-counters.ts";
import { reasonText } from "#payout/reasons.ts";
import { isTakenTwice } from "#payout/taken-twice.ts";
import { build } from "#base/version.ts";

export type Overview = z.output<(typeof OPERATIONS_API)["GET /api/operations"]["answer"]>;
const QUEUES = [submitJob.queue, resolveJob.queue, callbackJob.queue, depositJob.queue];
const LATELY_SECONDS = 600;
const MINUTE_SECONDS = 60;

/** Returns everything that people on call need to see, and what is wrong. */
export async function lookOver(desk: Desk): Promise<Overview> {
  const { database, ledger, clock } = desk;
  const nowMs = clock.nowMs();
  // Runs first: it gives a ledger that is read for the first time its epoch.
  const freeze = await ledger.verify();
  const [
    inDoubt,
    held,
    waiting,
    unapproved,
    silent,
    deposits,
    lanes,
    workers,
    lately,
    minute,
    { shown: queue, obstacle },
    facts,
    epoch,
  ] = await Promise.all([
    heapsOf(database, "in_doubt"),
    heapsOf(database, "on_hold"),
    batchesForPerson(database),
    unapprovedBatches(database),
    silentLanes(database, SILENCE_MAX_MS),
    openDeposits(database),
    lanesOf(desk),
    workerLines(database),
    pulses(database, { seconds: LATELY_SECONDS, step: LATELY_SECONDS }),
    pulses(database, { seconds: MINUTE_SECONDS, step: MINUTE_SECONDS }),
    queueOf(desk),
    inspectDatabase(database, clock),
    epochOf(database),
  ]);
  const counts = countsOf(lately);
  const ageMs = (at: Date | null) => (at ? nowMs - at.getTime() : 0);
  const doubts = summed(inDoubt);
  const holds = summed(held);
  const waits = queue.queues?.flatMap(({ oldest_at }) => (oldest_at ? [oldest_at] : [])) ?? [];

  const alarms = alarmsOf({
    freeze,
    isDurable: facts.isDurable,
    databaseOffsetMs: facts.clockOffsetMs,
    queue: queue.queues && {
      obstacle,
      policy: queue.redis?.policy ?? null,
      oldestWaitMs:
        waits.length === 0 ? null : nowMs - Math.min(...waits.map((at) => Date.parse(at))),
    },
    workers: workers.map((worker) => ({
      ...worker,
      sweptAgoMs: sinceSweepMs(worker, nowMs),
    })),
    version: build,
    inDoubt: { count: doubts.count, oldestMs: ageMs(doubts.oldestAt) },
    held: { count: holds.count, oldestMs: ageMs(holds.oldestAt) },
    takenTwice: held.reduce((sum, { cause, count }) => sum + (isTakenTwice(cause) ? count : 0), 0),
    unapproved,
    deposits: {
      in_doubt: { ...deposits.in_doubt, oldestMs: ageMs(deposits.in_doubt.oldestAt) },
      manual: { ...deposits.manual, oldestMs: ageMs(deposits.manual.oldestAt) },
    },
    silent: silent.map(({ since, ...lane }) => ({ ...lane, silentMs: ageMs(since) })),
    stopped: lanes.stopped.map((stop) => ({ ...stop, sinceMs: ageMs(stop.stoppedAt) })),
    waiting,
    paused: lanes.pauses,
    lately: {
      tries: triesIn(counts),
      duplicate: counts.duplicate,
      unmapped: counts.unmapped + counts.unreadable_status,
      strayCallbacks: counts.stray_callbacks,
    },
  });
  const ago = (ms: number) => new Date(nowMs - ms).toISOString();

  return {
    at: new Date(nowMs).toISOString(),
    alarms,
    in_doubt: doubts.shown,
    on_hold: { ...holds.shown, by_reason: byReason(held) },
    sends_per_second: Math.round((triesIn(countsOf(minute)) / MINUTE_SECONDS) * 10) / 10,
    counts,
    ...latencyOf(lately),
    lanes: lanes.shown,
    pause_of_all: pauseShown(
      lanes.pauses.find(({ lane }) => lane === EVERY_LANE),
      lanes.nameOf,
    ),
    workers: workers.map((worker) => ({
      id: worker.id,
      host: worker.host,
      pid: worker.pid,
      version: worker.version,
      is_current: worker.version === build,
      is_alive: worker.seenAgoMs <= SILENT_MS,
      works: worker.works,
      started_at: worker.startedAt.toISOString(),
      seen_at: ago(worker.seenAgoMs),
      in_flight: worker.inFlight,
      slots: worker.slots,
      swept_at: worker.sweptAgoMs === null ? null : ago(worker.sweptAgoMs),
      gateway_offset_ms: worker.gatewayOffsetMs,
    })),
    queue,
    ledger: {
      epoch,
      is_frozen: freeze !== null,
      database_version: facts.version,
      is_durable: facts.isDurable,
      clock_offset_ms: Math.round(facts.clockOffsetMs),
    },
  };
}

/** Adds up throughput samples by kind. */
export function countsOf(steps: readonly PulseSum[]): Record<PulseCount, number> {
  const sumAt = (place: number) => steps.reduce((sum, { counts }) => sum + (counts[place] ?? 0), 0);
  return Object.fromEntries(PULSE_COUNTS.map((name, place) => [name, sumAt(place)])) as Record<
    PulseCount,
    number
  >;
}

/** Returns the median and the 95th percentile of the duration of requests, in milliseconds. */
export function latencyOf(steps: readonly PulseSum[]) {
  const longest = Math.max(0, ...steps.map(({ latency }) => latency.length));
  const counts = Array.from({ length: longest }, (_, place) =>
    steps.reduce((sum, { latency }) => sum + (latency[place] ?? 0), 0),
  );
  return { p50_ms: latencyAt(0.5, counts), p95_ms: latencyAt(0.95, counts) };
}

/** Number of payout requests, regardless of their outcome. */
const triesIn = (counts: Readonly<Record<PulseCount, number>>): number =>
  counts.accepted +
  counts.duplicate +
  counts.refused_row +
  counts.refused_system +
  counts.not_sent +
  counts.ambiguous +
  counts.unmapped;

/** Adds up all groups and formats the total. */
export function summed(heaps: readonly Heap[]) {
  const oldestAt =
    heaps.length === 0 ? null : new Date(Math.min(...heaps.map((heap) => heap.oldestAt.getTime())));
  const count = heaps.reduce((sum, heap) => sum + heap.count, 0);
  const sums = [...sumByCurrency(heaps.map(({ sum }) => sum)).values()].map(amountOf);
  return { count, oldestAt, shown: { count, sums, oldest_at: oldestAt?.toISOString() ?? null } };
}

const byReason = (heaps: readonly Heap[]) =>
  [...Map.groupBy(heaps, ({ cause }) => cause ?? "")].map(([reason, heap]) => ({
    ...summed(heap).shown,
    reason,
    text: reason === "" ? "No reason was given." : reasonText(reason),
  }));

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

async function lanesOf({ database, ledger, deps }: Desk) {
  const [known, work, stopped, pauses, paced] = await Promise.all([
    knownLanes(database),
    laneWork(database),
    ledger.stoppedLanes(),
    ledger.lanePauses(),
    ledger.pacedLanes(),
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
  return { shown, stopped, pauses, nameOf };
}

const QUEUE_PATIENCE_MS = 3_000;

/** @returns the state shown, and why the queue accepts no jobs or its workers receive none. */
async function queueOf({ queues, engine, clock, log }: Desk): Promise<{
  readonly shown: Overview["queue"];
  readonly obstacle: string | null;
}> {
  const late = new AbortController();
  try {
    const asked = Promise.all([queues.look(QUEUES), queues.redis()]);
    asked.catch(() => {}); // May fail after the caller stopped waiting.
    const told = await Promise.race([asked, clock.sleep(QUEUE_PATIENCE_MS, late.signal)]);
    if (!told) throw new Error("no answer");
    const [facts, redis] = told;
    const shown = {
      engine: engine.kind,
      queues: facts.map(({ name, waiting, active, delayed, oldestAtMs }) => ({
        name,
        waiting,
        active,
        delayed,
        oldest_at: oldestAtMs === null ? null : new Date(oldestAtMs).toISOString(),
      })),
      redis: redis && {
        version: redis.version,
        policy: redis.policy,
        append_only: redis.appendOnly,
        used_bytes: redis.usedBytes,
        max_bytes: redis.maxBytes,
      },
    };
    const paused = facts.filter(({ isPaused }) => isPaused).map(({ name }) => name);
    const whyPaused = paused.length > 0 ? `contains paused queues: ${paused.join(", ")}` : null;
    const why = (redis && whyNoJobs(redis)) ?? whyPaused;
    return { shown, obstacle: why && `${redis ? "Redis" : "PostgreSQL"} ${why}` };
  } catch (error) {
    log.debug({ err: wordsOf(error) }, "failed to query the queues");
    return { shown: { engine: engine.kind, queues: null, redis: null }, obstacle: null };
  } finally {
    late.abort();
  }
}
