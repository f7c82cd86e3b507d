import type { z } from "zod";
import type { BatchView } from "#api/approval/batch-page.ts";
import { type StatusBreakdown, statusBreakdowns, PARTS } from "#approval/status-breakdown.ts";
import { openCauses, causeText } from "#intake/batch/quarantine.ts";
import { BATCH_STATES, isReadyForApproval } from "#intake/batch/batch-lifecycle.ts";
import { iso, policyDocument, findWaitingBatch } from "#views/approval/approval-state.ts";
import { canaryView, laneStopView } from "#views/payout/circuit-breakers.ts";
import type { ServerDeps } from "#views/deps.ts";
import { Problem } from "#api/app/problems.ts";
import { sendTimeView } from "#views/schedule/send-time.ts";
import { type ResponseRate, findResponseRate } from "#ledger/operations/response-rate.ts";
import { findCancellation } from "#ledger/operations/cancellation.ts";
import { findBlockedAmong } from "#ledger/approval/policy/blocked-batches.ts";
import { findRequestedCanary } from "#ledger/payout/canaries.ts";
import { type ArchivePlace, findArchivePlaces } from "#ledger/integrity/archive/registry.ts";
import { findBatchWithProgress } from "#ledger/operations/batch-progress.ts";
import { findLaneNames } from "#ledger/payout/lane/account-names.ts";
import type { LanePause } from "#ledger/payout/lane/lane-pauses.ts";
import type { StoppedLane } from "#ledger/payout/lane/lanes.ts";
import { EVERY_LANE } from "#payout/lane/lane.ts";
import type { Progress } from "#ledger/ledger.ts";
import { type Batch, findBatch } from "#ledger/payout/batches.ts";
import { findActorNames } from "#ledger/people/names.ts";
import { findSendTimes } from "#ledger/schedule/send-times.ts";
import { amountOf, formatMoney } from "#money/format.ts";
import { exactTotal } from "#money/money.ts";
import { sendMoment, findMissedCutOffs } from "#schedule/cut-offs.ts";

type View = z.output<typeof BatchView>;

/** Returns the problem for an unknown batch. */
export const notFound = (batchId: string): Problem =>
  new Problem("not_found", { detail: `There is no batch ${batchId}.` });

/** @throws Problem if the batch does not exist. */
export async function findBatchOrThrow(
  { database }: Pick<ServerDeps, "database">,
  id: string,
): Promise<Batch> {
  const batch = await findBatch(database, { id });
  if (!batch) throw notFound(id);
  return batch;
}

const AT_REST: ResponseRate = { answersPerSecond: 0, p95Ms: null };

/**
 * Returns a batch as every user may see it.
 *
 * @throws Problem if the batch does not exist.
 */
export async function batchView(batchId: string, deps: ServerDeps): Promise<View> {
  const { ledger, database, clock, bankDays } = deps;
  const { batch, progress } = await findBatchWithProgress(database, batchId);
  const waiting = batch && (await findWaitingBatch(deps, batchId, null));
  if (!batch || !waiting) throw notFound(batchId);
  const isWorking = batch.state === "approved" || batch.state === "paused";
  const isOver = BATCH_STATES[batch.state].final;
  const isCancelled = batch.cancelling || batch.state === "cancelled";
  const cancelled = isCancelled ? await findCancellation(database, batchId) : null;
  const pauses = isOver ? [] : await ledger.payout.lanePauses();
  const actors = [batch.maker, ...(cancelled ? [cancelled.actor] : [])];
  const [rate, stopped, freeze, nameOf, sendings, asked, canaries, archives] = await Promise.all([
    isWorking ? findResponseRate(database, batchId) : AT_REST,
    isOver ? [] : ledger.payout.stoppedLanes(),
    isOver ? null : ledger.integrity.verify(),
    findActorNames(database, [...actors, ...pauses.map(({ actor }) => actor)]),
    findSendTimes(database, [batchId]),
    findRequestedCanary(database, batchId),
    ledger.payout.canaries(batchId),
    isOver ? findArchivePlaces(database, { batchId }) : [],
  ]);
  const why = stopsByLane({ batchId, stopped, pauses, nameOf });
  const sending = sendings.get(batchId);
  const goesOut = sendMoment(sending?.at, new Date(clock.nowMs()));
  const approved = batch.lanes.map(({ total }) => total);
  const lanes = batch.lanes.map((lane) => ({
    ...laneView(lane, progress),
    stopped: why.get(lane.lane) ?? why.get(EVERY_LANE) ?? null,
  }));
  return {
    batch_id: batch.id,
    file: batch.fileName,
    name: batch.name,
    purpose: batch.purpose,
    state: batch.state,
    cancelling: batch.cancelling,
    cancelled: cancelled && { ...cancelled, name: nameOf(cancelled.actor) },
    reason: batch.reason,
    rows: batch.rows,
    rejected: batch.rejected,
    payouts: batch.lanes.reduce((sum, { rows }) => sum + rows, 0),
    maker: { actor: batch.maker, name: nameOf(batch.maker) },
    priority: batch.priority,
    created_at: batch.createdAt.toISOString(),
    approved_at: iso(batch.approvedAt),
    finished_at: iso(batch.finishedAt),
    archived: archivedView(archives),
    digest: batch.digest,
    content_digest: batch.contentDigest,
    encoding: batch.facts.encoding,
    delimiter: batch.facts.delimiter,
    equation: statusBreakdowns(approved, progress).map(shownEquation),
    fees: feesOf(progress),
    lanes,
    canary: canaryView(asked, canaries),
    pace: { answers_per_second: Math.round(rate.answersPerSecond * 10) / 10, p95_ms: rate.p95Ms },
    seconds_left:
      batch.state === "approved" && lanes.every(({ stopped }) => stopped === null)
        ? secondsLeft(progress, rate)
        : null,
    policy: await policyDocument(deps, waiting, batch.state),
    send: sendTimeView(sending),
    misses: isReadyForApproval(batch.state)
      ? findMissedCutOffs(lanesOf(batch), goesOut, bankDays, await findLaneNames(database))
      : [],
    frozen: freeze?.reason ?? null,
    needs_duplicate_reason: (await findBlockedAmong(database, [batchId])).has(batchId),
    quarantine: openCauses(isOver ? [] : await ledger.intake.quarantineOf(batchId)).map(causeText),
  };
}

type Found = Awaited<ReturnType<typeof findBatchWithProgress>>;

function laneView({ lane, rows, total }: Batch["lanes"][number], all: Found["progress"]) {
  const progress = all.filter((each) => each.lane === lane);
  return {
    lane,
    payouts: rows,
    ...amountOf(total),
    fees: feesOf(progress),
    states: progress.map(({ state, count, sum }) => ({ state, count, amount: formatMoney(sum) })),
  };
}

const lanesOf = (batch: Batch): string[] => batch.lanes.map(({ lane }) => lane);

/** Returns how many payouts are only in archive files. Null: none. */
export const archivedView = (places: readonly ArchivePlace[]) =>
  places.length === 0
    ? null
    : {
        payouts: places.reduce((sum, { payouts }) => sum + payouts, 0),
        files: [...new Set(places.map(({ fileName }) => fileName))],
      };

/** Returns the totals of the reported fees, one per currency. */
function feesOf(progress: readonly Progress[]): View["fees"] {
  const fees = progress.flatMap(({ fee }) => fee ?? []);
  return [...Map.groupBy(fees, ({ currency }) => currency).values()].flatMap((same) => {
    const total = exactTotal(same);
    return total ? [amountOf(total)] : [];
  });
}

type LaneStop = View["lanes"][number]["stopped"];

/** Returns why lanes of the batch are closed: a person's pause hides an automatic stop. */
function stopsByLane({
  batchId,
  stopped,
  pauses,
  nameOf,
}: {
  readonly batchId: string;
  readonly stopped: readonly StoppedLane[];
  readonly pauses: readonly LanePause[];
  readonly nameOf: (actor: string) => string;
}): ReadonlyMap<string, LaneStop> {
  const why = new Map<string, LaneStop>(
    stopped.map((stop) => [
      stop.lane,
      { ...laneStopView(stop), paused_by: null, all_lanes: false },
    ]),
  );
  for (const { lane, reason, actor, pausedAt, until, finishing } of pauses) {
    if (finishing?.includes(batchId)) continue;
    const since = pausedAt.toISOString();
    const retry_at = iso(until);
    const needs = until ? "wait" : "person";
    const pause = { paused_by: nameOf(actor), all_lanes: lane === EVERY_LANE };
    why.set(lane, { reason, needs, since, retry_at, breaker: null, ...pause });
  }
  return why;
}

const shownEquation = ({ currency, minorDigits, approved, parts, isBalanced }: StatusBreakdown) => {
  const text = (minor: bigint) => formatMoney({ currency, minor, minorDigits });
  return {
    currency,
    approved: text(approved),
    parts: PARTS.map((part) => ({
      part,
      count: parts[part].count,
      amount: text(parts[part].minor),
    })),
    adds_up: isBalanced,
  };
};

/**
 * Estimates the seconds until the last payout is sent, at the current pace. Null: unknown, or all
 * are sent.
 */
function secondsLeft(
  progress: readonly Progress[],
  { answersPerSecond }: ResponseRate,
): number | null {
  const unsent = progress
    .filter(({ state }) => state === "approved" || state === "submitting")
    .reduce((sum, { count }) => sum + count, 0);
  if (unsent === 0 || answersPerSecond === 0) return null;
  return Math.ceil(unsent / answersPerSecond);
}
