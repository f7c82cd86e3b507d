import type { z } from "zod";
import type { OPERATIONS_API } from "#api/operations/operations.ts";
import type { ServerDeps } from "#views/deps.ts";
import { alarmParts } from "#views/operations/alarm-parts.ts";
import { lanesOf } from "#views/operations/lanes.ts";
import { queueOf } from "#views/operations/queue-status.ts";
import { countsOf, latencyOf, triesCount } from "#views/operations/throughput.ts";
import { epochOf } from "#ledger/integrity/freeze.ts";
import { inspectDatabase } from "#ledger/store/server-properties.ts";
import { findWebhookDelays } from "#ledger/feed/webhook-delays.ts";
import { countOpenDeposits } from "#ledger/deposit/counts.ts";
import {
  findBatchesForPerson,
  type ReasonGroup,
  findReasonGroups,
  findSilentLanes,
  findUnapprovedBatches,
} from "#ledger/operations/overview.ts";
import {
  findThroughputSamples,
  sinceSweepMs,
  type WorkerProcess,
  findWorkers,
} from "#ledger/operations/throughput-samples.ts";
import { amountOf } from "#money/format.ts";
import { sumByCurrency } from "#money/money.ts";
import { activeAlarms, SILENCE_MAX_MS, SILENT_MS } from "#operations/alarms.ts";
import type { Observations } from "#operations/observations.ts";
import {
  CIRCUIT_BREAKER_SETTING_NAMES,
  CIRCUIT_BREAKER_SETTINGS,
} from "#payout/lane/circuit-breaker-settings.ts";
import { EVERY_LANE } from "#payout/lane/lane.ts";
import { reasonText } from "#payout/reasons.ts";
import { isTakenTwice } from "#payout/second-payment.ts";
import { build } from "#base/version.ts";

export type Overview = z.output<(typeof OPERATIONS_API)["GET /api/operations"]["answer"]>;
const LATELY_SECONDS = 600;
const THRESHOLD_DEFAULTS = CIRCUIT_BREAKER_SETTING_NAMES.map((name) => ({
  name,
  default: CIRCUIT_BREAKER_SETTINGS[name].default,
  says: CIRCUIT_BREAKER_SETTINGS[name].says,
}));
const MINUTE_SECONDS = 60;

/** Returns everything that people on call need to see, and what is wrong. */
export async function operationsOverview(deps: ServerDeps): Promise<Overview> {
  const facts = await factsOf(deps);
  const { nowMs, freeze, held, inDoubt, lanes, lately, server } = facts;
  const observed = sightOf(facts);
  const sight = { observed, held, inDoubt, database: deps.database };
  return {
    at: new Date(nowMs).toISOString(),
    alarms: await Promise.all(
      activeAlarms(observed).map(async (alarm) => ({
        ...alarm,
        parts: await alarmParts(alarm, sight),
      })),
    ),
    in_doubt: sumGroups(inDoubt).shown,
    on_hold: { ...sumGroups(held).shown, by_reason: byReason(held) },
    sends_per_second: Math.round((triesCount(countsOf(facts.minute)) / MINUTE_SECONDS) * 10) / 10,
    counts: countsOf(lately),
    ...latencyOf(lately),
    lanes: lanes.shown,
    pause_of_all: lanes.pauseOfAll,
    threshold_defaults: THRESHOLD_DEFAULTS,
    workers: facts.workers.map((worker) => shownWorker(worker, nowMs)),
    queue: facts.queue.shown,
    ledger: {
      epoch: facts.epoch,
      is_frozen: freeze !== null,
      database_version: server.version,
      is_durable: server.isDurable,
      clock_offset_ms: Math.round(server.clockOffsetMs),
    },
  };
}

type Facts = Awaited<ReturnType<typeof factsOf>>;

async function factsOf(deps: ServerDeps) {
  const { database, ledger, clock } = deps;
  const nowMs = clock.nowMs();
  // Runs first: it gives a ledger that is read for the first time its epoch.
  const freeze = await ledger.integrity.verify();
  const [
    inDoubt,
    held,
    waiting,
    unapproved,
    silent,
    deposits,
    webhooks,
    lanes,
    workers,
    lately,
    minute,
    queue,
    server,
    epoch,
  ] = await Promise.all([
    findReasonGroups(database, "in_doubt"),
    findReasonGroups(database, "on_hold"),
    findBatchesForPerson(database),
    findUnapprovedBatches(database),
    findSilentLanes(database, SILENCE_MAX_MS),
    countOpenDeposits(database),
    findWebhookDelays(database),
    lanesOf(deps),
    findWorkers(database),
    findThroughputSamples(database, { seconds: LATELY_SECONDS, step: LATELY_SECONDS }),
    findThroughputSamples(database, { seconds: MINUTE_SECONDS, step: MINUTE_SECONDS }),
    queueOf(deps),
    inspectDatabase(database, clock),
    epochOf(database),
  ]);
  const money = { inDoubt, held, silent, deposits, lanes };
  const traffic = { workers, lately, minute, queue };
  return { nowMs, freeze, waiting, unapproved, webhooks, ...money, ...traffic, server, epoch };
}

/** Returns the facts that decide which alarms are active. */
function sightOf(facts: Facts): Observations {
  const { nowMs, freeze, deposits, lanes, queue, server, unapproved, waiting } = facts;
  const ageMs = (at: Date | null) => (at ? nowMs - at.getTime() : 0);
  const heap = ({
    count,
    oldestAt,
  }: {
    readonly count: number;
    readonly oldestAt: Date | null;
  }) => ({
    count,
    oldestMs: ageMs(oldestAt),
  });
  const counts = countsOf(facts.lately);
  const waits =
    queue.shown.queues?.flatMap(({ oldest_at }) => (oldest_at ? [oldest_at] : [])) ?? [];
  return {
    freeze,
    isDurable: server.isDurable,
    databaseOffsetMs: server.clockOffsetMs,
    queue: queue.shown.queues && {
      obstacle: queue.obstacle,
      policy: queue.shown.redis?.policy ?? null,
      oldestWaitMs:
        waits.length === 0 ? null : nowMs - Math.min(...waits.map((at) => Date.parse(at))),
    },
    workers: facts.workers.map((worker) => ({
      ...worker,
      sweptAgoMs: sinceSweepMs(worker, nowMs),
    })),
    version: build,
    inDoubt: heap(sumGroups(facts.inDoubt)),
    held: heap(sumGroups(facts.held)),
    takenTwice: facts.held.reduce(
      (sum, { cause, count }) => sum + (isTakenTwice(cause) ? count : 0),
      0,
    ),
    unapproved,
    deposits: { in_doubt: heap(deposits.in_doubt), manual: heap(deposits.manual) },
    silent: facts.silent.map(({ lane, since, ...silence }) => ({
      ...silence,
      name: lanes.nameOf(lane),
      silentMs: ageMs(since),
    })),
    stopped: lanes.stopped.map((stop) => ({
      ...stop,
      name: lanes.nameOf(stop.lane),
      sinceMs: ageMs(stop.stoppedAt),
    })),
    webhooks: facts.webhooks.map(({ name, since }) => ({ name, behindMs: ageMs(since) })),
    waiting,
    paused: lanes.pauses.map(({ lane, reason }) => ({
      name: lane === EVERY_LANE ? "every lane" : lanes.nameOf(lane),
      reason,
    })),
    recentCounts: {
      tries: triesCount(counts),
      duplicate: counts.duplicate,
      unmapped: counts.unmapped + counts.unreadable_status,
      strayCallbacks: counts.stray_callbacks,
    },
  };
}

function shownWorker(worker: WorkerProcess, nowMs: number) {
  const ago = (ms: number) => new Date(nowMs - ms).toISOString();
  return {
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
  };
}

/** Adds up all groups and formats the total. */
export function sumGroups(heaps: readonly ReasonGroup[]) {
  const oldestAt =
    heaps.length === 0 ? null : new Date(Math.min(...heaps.map((heap) => heap.oldestAt.getTime())));
  const count = heaps.reduce((sum, heap) => sum + heap.count, 0);
  const sums = [...sumByCurrency(heaps.map(({ sum }) => sum)).values()].map(amountOf);
  return { count, oldestAt, shown: { count, sums, oldest_at: oldestAt?.toISOString() ?? null } };
}

const byReason = (heaps: readonly ReasonGroup[]) =>
  [...Map.groupBy(heaps, ({ cause }) => cause ?? "")].map(([reason, heap]) => ({
    ...sumGroups(heap).shown,
    reason,
    text: reason === "" ? "No reason was given." : reasonText(reason),
  }));
