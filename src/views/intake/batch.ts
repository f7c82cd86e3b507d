import type { z } from "zod";
import type { BatchView } from "#api/approval/batch-page.ts";
import { type Equation, equationsOf, PARTS } from "#approval/status-breakdown.ts";
import { openCauses, sayCause } from "#intake/batch/quarantine.ts";
import { BATCH_STATES } from "#intake/batch/batch-lifecycle.ts";
import { iso, policyOf, waitingOf } from "#views/approval/approval-state.ts";
import { canaryShown, stopShown } from "#views/payout/circuit-breakers.ts";
import type { Desk } from "#views/deps.ts";
import { Problem } from "#api/app/problems.ts";
import { sendView } from "#views/schedule/send-view.ts";
import { type Pace, paceOf } from "#ledger/operations/batch-pace.ts";
import { askedCanary } from "#ledger/payout/canaries.ts";
import { findBatchWithProgress } from "#ledger/operations/batch-progress.ts";
import { EVERY_LANE } from "#payout/lane/lane.ts";
import type { Progress } from "#ledger/ledger.ts";
import { type Batch, findBatch } from "#ledger/payout/batches.ts";
import { namesOf } from "#ledger/people/names.ts";
import { sendingsOf } from "#ledger/schedule/send-times.ts";
import { amountOf, formatMoney } from "#money/format.ts";
import { goesOutAt, missedCutOffs } from "#schedule/cut-offs.ts";

type View = z.output<typeof BatchView>;

/** Returns the problem for an unknown batch. */
export const notFound = (batchId: string): Problem =>
  new Problem("not_found", { detail: `There is no batch ${batchId}.` });

/** @throws Problem if the batch does not exist. */
export async function found({ database }: Pick<Desk, "database">, id: string): Promise<Batch> {
  const batch = await findBatch(database, { id });
  if (!batch) throw notFound(id);
  return batch;
}

const AT_REST: Pace = { answersPerSecond: 0, p95Ms: null };

/**
 * Returns a batch as every user may see it.
 *
 * @throws Problem if the batch does not exist.
 */
export async function batchView(batchId: string, desk: Desk): Promise<View> {
  const { ledger, database, clock, bankDays } = desk;
  const { batch, progress } = await findBatchWithProgress(database, batchId);
  const waiting = batch && (await waitingOf(desk, batchId, null));
  if (!batch || !waiting) throw notFound(batchId);
  const isWorking = batch.state === "approved" || batch.state === "paused";
  const isOver = BATCH_STATES[batch.state].final;
  const [pace, stopped, pauses, freeze, nameOf, sendings, asked, canaries] = await Promise.all([
    isWorking ? paceOf(database, batchId) : AT_REST,
    isOver ? [] : ledger.payout.stoppedLanes(),
    isOver ? [] : ledger.payout.lanePauses(),
    isOver ? null : ledger.integrity.verify(),
    namesOf(database, [batch.maker]),
    sendingsOf(database, [batchId]),
    askedCanary(database, batchId),
    ledger.payout.canaries(batchId),
  ]);
  const why = new Map<string, View["lanes"][number]["stopped"]>(
    stopped.map((stop) => [stop.lane, stopShown(stop)]),
  );
  for (const { lane, reason, pausedAt, until, finishing } of pauses) {
    if (finishing?.includes(batchId)) continue;
    const since = pausedAt.toISOString();
    const retry_at = iso(until);
    const needs = until ? "wait" : "person";
    why.set(lane, { reason: `paused: ${reason}`, needs, since, retry_at, breaker: null });
  }
  const sending = sendings.get(batchId);
  const goesOut = goesOutAt(sending?.at, new Date(clock.nowMs()));
  const lanes = batch.lanes.map(({ lane }) => lane);
  const approved = batch.lanes.map(({ total }) => total);
  return {
    batch_id: batch.id,
    file: batch.fileName,
    name: batch.name,
    purpose: batch.purpose,
    state: batch.state,
    reason: batch.reason,
    rows: batch.rows,
    rejected: batch.rejected,
    payouts: batch.lanes.reduce((sum, { rows }) => sum + rows, 0),
    maker: { actor: batch.maker, name: nameOf(batch.maker) },
    priority: batch.priority,
    created_at: batch.createdAt.toISOString(),
    approved_at: iso(batch.approvedAt),
    finished_at: iso(batch.finishedAt),
    digest: batch.digest,
    content_digest: batch.contentDigest,
    encoding: batch.facts.encoding,
    delimiter: batch.facts.delimiter,
    equation: equationsOf(approved, progress).map(shownEquation),
    lanes: batch.lanes.map(({ lane, rows, total }) => ({
      lane,
      payouts: rows,
      ...amountOf(total),
      states: progress
        .filter((each) => each.lane === lane)
        .map(({ state, count, sum }) => ({ state, count, amount: formatMoney(sum) })),
      stopped: why.get(lane) ?? why.get(EVERY_LANE) ?? null,
    })),
    canary: canaryShown(asked, canaries),
    pace: { answers_per_second: Math.round(pace.answersPerSecond * 10) / 10, p95_ms: pace.p95Ms },
    seconds_left: batch.state === "approved" ? secondsLeft(progress, pace) : null,
    policy: await policyOf(desk, waiting, batch.state),
    send: sendView(sending),
    misses: batch.state === "awaiting_approval" ? missedCutOffs(lanes, goesOut, bankDays) : [],
    frozen: freeze?.reason ?? null,
    quarantine: openCauses(isOver ? [] : await ledger.intake.quarantineOf(batchId)).map(sayCause),
  };
}

const shownEquation = ({ currency, minorDigits, approved, parts, addsUp }: Equation) => {
  const text = (minor: bigint) => formatMoney({ currency, minor, minorDigits });
  return {
    currency,
    approved: text(approved),
    parts: PARTS.map((part) => ({
      part,
      count: parts[part].count,
      amount: text(parts[part].minor),
    })),
    adds_up: addsUp,
  };
};

/**
 * Estimates the seconds until the last payout is sent, at the current pace. Null: unknown, or all
 * are sent.
 */
function secondsLeft(progress: readonly Progress[], { answersPerSecond }: Pace): number | null {
  const unsent = progress
    .filter(({ state }) => state === "approved" || state === "submitting")
    .reduce((sum, { count }) => sum + count, 0);
  if (unsent === 0 || answersPerSecond === 0) return null;
  return Math.ceil(unsent / answersPerSecond);
}
