import { isBeforeApproval } from "#intake/batch/batch-lifecycle.ts";
import type { Canary } from "#ledger/ledger.ts";
import { moveBatch } from "./batches.ts";
import { isAtGateway } from "./payouts.ts";
import type { BatchRow, CanaryRow, PayoutRow, Tables } from "./tables.ts";

/** src/ledger/payout/canaries.ts in memory. */

interface Order {
  readonly batchId: string;
  readonly actor: string;
}

/** Sets the number of payouts that a batch sends first. False: the batch is no longer open. */
export function setCanary(
  tables: Tables,
  { batchId, payouts, actor }: Order & { readonly payouts: number },
): boolean {
  const batch = tables.batches.get(batchId);
  const isOpen = batch !== undefined && isBeforeApproval(batch.state);
  if (!batch || !isOpen) return false;
  batch.canary = payouts;
  tables.audit.push({ actor, action: "set_canary", object: batchId, facts: { payouts } });
  return true;
}

const LOST: ReadonlySet<string> = new Set([
  "declined",
  "held_back",
  "on_hold",
  "returned",
  "cancelled",
  "resolved",
]);

/** Returns the canaries of one batch, or all that are not released (null). */
export function canaries(tables: Tables, batchId: string | null, nowMs: number): Canary[] {
  const isWanted = ({ id, state }: BatchRow, { releasedMs }: CanaryRow) =>
    batchId === null ? releasedMs === null && state === "approved" : id === batchId;
  return [...tables.batches.values()]
    .flatMap((batch) =>
      [...batch.canaries]
        .filter(([, row]) => isWanted(batch, row))
        .map(([lane, row]) => canaryOf(tables, batch, lane, row, nowMs)),
    )
    .sort((one, other) =>
      `${one.batchId} ${one.lane}` < `${other.batchId} ${other.lane}` ? -1 : 1,
    );
}

const first = (tables: Tables, { payoutIds }: CanaryRow): PayoutRow[] =>
  payoutIds.flatMap((id) => tables.payouts[id - 1] ?? []);

function canaryOf(
  tables: Tables,
  { id: batchId }: BatchRow,
  lane: string,
  row: CanaryRow,
  nowMs: number,
): Canary {
  const payouts = first(tables, row);
  const lost = payouts.find(({ state }) => LOST.has(state));
  const open = payouts.filter(isAtGateway).flatMap(({ firstSentMs }) => firstSentMs ?? []);
  return {
    batchId,
    lane,
    payouts: payouts.length,
    settled: payouts.filter(({ state }) => state === "settled").length,
    lost: lost ? { transactionCode: lost.order.transactionCode, state: lost.state } : null,
    openMs: open.length === 0 ? null : nowMs - Math.min(...open),
    failed: row.failed,
    releasedAt: row.releasedMs === null ? null : new Date(row.releasedMs),
    releasedBy: row.releasedBy,
  };
}

/**
 * Releases the payouts behind the canaries of a batch. Without a reason, only lanes whose canary
 * has settled. Returns the lanes.
 */
export function releaseCanaries(
  tables: Tables,
  order: Order & { readonly lane: string | null; readonly reason: string | null },
  at: Date,
  nowMs: number,
): string[] {
  const { batchId, lane: only, reason, actor } = order;
  const batch = tables.batches.get(batchId);
  const waiting = [...(batch?.canaries ?? [])].filter(
    ([lane, row]) =>
      row.releasedMs === null &&
      (only === null || only === lane) &&
      (reason !== null || first(tables, row).every(({ state }) => state === "settled")),
  );
  if (!batch || waiting.length === 0) return [];
  const released = waiting.map(
    ([lane, row]) => [lane, { ...row, releasedMs: nowMs, releasedBy: actor }] as const,
  );
  batch.canaries = new Map([...batch.canaries, ...released]);
  const lanes = waiting.map(([lane]) => lane).sort();
  tables.audit.push({ actor, action: "release_canary", object: batchId, facts: { lanes, reason } });
  if (waiting.some(([, { failed }]) => failed !== null)) {
    moveBatch(tables, { id: batchId, event: "resume", reason, actor }, at, nowMs);
  }
  return lanes;
}

/**
 * Pauses a batch because its canary failed. False: the canary is already released, or the batch
 * cannot pause.
 */
export function failCanary(
  tables: Tables,
  { batchId, lane, reason, actor }: Order & { readonly lane: string; readonly reason: string },
  at: Date,
  nowMs: number,
): boolean {
  const batch = tables.batches.get(batchId);
  const canary = batch?.canaries.get(lane);
  if (!batch || canary?.releasedMs !== null) return false;
  const paused = moveBatch(tables, { id: batchId, event: "pause", reason, actor }, at, nowMs);
  if (paused === null) return false;
  batch.canaries = new Map([...batch.canaries, [lane, { ...canary, failed: reason }]]);
  return true;
}
