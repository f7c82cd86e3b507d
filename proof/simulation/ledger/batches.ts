import { createHash } from "node:crypto";
import { BATCH_LIFECYCLE, BATCH_STATES, type BatchEvent } from "#batch/lifecycle.ts";
import type { LaneTotal } from "#ledger/batches.ts";
import {
  LATELY_DAYS,
  type NewBatch,
  type NewPayout,
  type PaidLately,
  type RejectedRow,
} from "#ledger/ingest.ts";
import type { Batch, Progress, WorkingBatch } from "#ledger/ledger.ts";
import { isFinal, LIFECYCLE } from "#payout/lifecycle.ts";
import { accountText, payloadText } from "#payout/payout.ts";
import { inLane, isAtGateway, step } from "./payouts.ts";
import type { BatchRow, PayoutRow, Tables } from "./tables.ts";

/** The statements about batches: src/ledger/batches.ts, finish.ts and ingest.ts in memory. */

const DAY_MS = 86_400_000;

/** A batch that is being written: seen by nobody before it is committed. */
export interface Draft extends NewBatch {
  readonly payouts: NewPayout[];
  readonly rejected: RejectedRow[];
}

/** What PostgreSQL says when a unique index refuses a row. */
class UniqueViolation extends Error {
  readonly code = "23505";
  readonly constraint: string;

  constructor(constraint: string) {
    super(`duplicate key value violates unique constraint "${constraint}"`);
    this.constraint = constraint;
  }
}

export const digestTaken = (): Error => new UniqueViolation("batches_digest_key");

export function codesInUse(tables: Tables, codes: readonly string[]) {
  const found = new Map<string, { batchId: string; line: number }>();
  for (const code of codes) {
    const payout = tables.byCode.get(code);
    if (payout) found.set(code, { batchId: payout.batchId, line: payout.line });
  }
  return found;
}

const accountOf = ({ money, details }: NewPayout["order"]): string =>
  `${accountText(money.currency, details)} ${money.minor}`;

const UNPAID: ReadonlySet<string> = new Set(["cancelled", "declined"]);

export function paidLately(
  tables: Tables,
  payouts: readonly NewPayout[],
  nowMs: number,
): PaidLately {
  const found = new Map<NewPayout, { batchId: string; line: number }>();
  for (const payout of payouts) {
    const latest = tables.byAccount.get(accountOf(payout.order))?.findLast(({ batchId, state }) => {
      const batch = tables.batches.get(batchId);
      const isLate = batch && batch.createdMs > nowMs - LATELY_DAYS * DAY_MS;
      return isLate && batch.state !== "cancelled" && !UNPAID.has(state);
    });
    if (latest) found.set(payout, { batchId: latest.batchId, line: latest.line });
  }
  return found;
}

/** Everything of the batch at once, or a violation and nothing. */
export function commitBatch(
  tables: Tables,
  { id, digest, fileName, actor, payouts, rejected }: Draft,
  facts: Readonly<Record<string, unknown>>,
  nowMs: number,
): void {
  if (findBatch(tables, { digest })) throw digestTaken();
  const codes = new Set(payouts.map(({ order }) => order.transactionCode));
  if (codes.size < payouts.length || codesInUse(tables, [...codes]).size > 0) {
    throw new UniqueViolation("payout_details_code");
  }
  const content = createHash("sha256");
  const lanes = new Map<string, PayoutRow[]>();
  for (const { line, lane, order } of payouts) {
    const row = newPayout(tables.payouts.length + 1, id, line, lane, order, nowMs);
    content.update(row.payload);
    tables.payouts.push(row);
    tables.byCode.set(order.transactionCode, row);
    push(tables.byAccount, accountOf(order), row);
    push(lanes, lane, row);
  }
  const batch: BatchRow = {
    id,
    digest,
    contentDigest: content.digest("hex"),
    fileName,
    state: rejected.length === 0 ? "awaiting_approval" : "needs_correction",
    reason: null,
    rows: payouts.length + rejected.length,
    rejected,
    cancelling: false,
    facts: facts as unknown as Batch["facts"],
    lanes: [...lanes].map(([lane, rows]) => totalOf(lane, rows)).sort(byLane),
    payouts: lanes,
    createdMs: nowMs,
    approvedAt: null,
    finishedAt: null,
  };
  tables.batches.set(id, batch);
  tables.audit.push({ actor, action: "ingest", object: id, facts: { file: fileName, digest } });
}

function push<Key, Value>(map: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

function newPayout(
  id: number,
  batchId: string,
  line: number,
  lane: string,
  order: NewPayout["order"],
  nowMs: number,
): PayoutRow {
  return {
    id,
    batchId,
    line,
    lane,
    order,
    payload: payloadText(order),
    state: "awaiting_approval",
    reason: null,
    dueMs: nowMs,
    seq: 0,
    attempts: 0,
    crashes: 0,
    asks: 0,
    heard: null,
    heardTimes: 0,
    maybeArrived: false,
    gatewayNumber: null,
    firstSentMs: null,
    lastSentMs: null,
    attempted: [],
    transitions: [],
    evidence: [],
  };
}

const byLane = (one: { lane: string }, other: { lane: string }): number =>
  one.lane < other.lane ? -1 : 1;

function totalOf(lane: string, rows: readonly PayoutRow[]): LaneTotal {
  return { lane, rows: rows.length, total: sumOf(rows) };
}

function sumOf(rows: readonly PayoutRow[]) {
  const minor = rows.reduce((sum, { order }) => sum + order.money.minor, 0n);
  const { currency = "", minorDigits = 0 } = rows[0]?.order.money ?? {};
  return { currency, minor, minorDigits };
}

export function findBatch(
  tables: Tables,
  by: { readonly id: string } | { readonly digest: string },
): Batch | null {
  const row =
    "id" in by
      ? tables.batches.get(by.id)
      : [...tables.batches.values()].find(({ digest }) => digest === by.digest);
  if (!row) return null;
  const { payouts: _payouts, cancelling: _cancelling, createdMs, rejected, ...batch } = row;
  return { ...batch, rejected: rejected.length, createdAt: new Date(createdMs) };
}

export const workingBatches = (tables: Tables): WorkingBatch[] =>
  [...tables.batches.values()]
    .filter(({ state }) => state === "approved" || state === "paused")
    .sort((one, other) => Number(one.approvedAt) - Number(other.approvedAt))
    .map(({ id, state, cancelling, lanes }) => ({
      id,
      lanes: lanes.map(({ lane }) => lane),
      paused: state === "paused",
      cancelling,
    }));

interface BatchMove {
  readonly id: string;
  readonly event: BatchEvent;
  readonly reason: string | null;
  readonly actor: string;
  readonly facts?: Readonly<Record<string, unknown>>;
}

export function moveBatch(tables: Tables, move: BatchMove, at: Date, nowMs: number): number | null {
  const { id, event, reason, actor } = move;
  const { from, to } = BATCH_LIFECYCLE[event];
  const batch = tables.batches.get(id);
  if (!batch || !from.includes(batch.state)) return null;
  batch.state = to;
  batch.reason = reason;
  if (event === "approve") batch.approvedAt = at;
  if (BATCH_STATES[to].final) batch.finishedAt = at;
  const moved =
    event === "approve" || event === "cancel" ? movePayouts(tables, batch, event, actor, nowMs) : 0;
  const facts = { state: to, reason, payouts: moved, ...move.facts };
  tables.audit.push({ actor, action: event, object: id, facts });
  return moved;
}

function movePayouts(
  tables: Tables,
  batch: BatchRow,
  event: "approve" | "cancel",
  actor: string,
  nowMs: number,
): number {
  let moved = 0;
  for (const payout of [...batch.payouts.values()].flat()) {
    if (!LIFECYCLE[event].from.includes(payout.state) || payout.maybeArrived) continue;
    moved += 1;
    step(tables, payout, event, { reason: null, actor });
    payout.reason = event === "cancel" ? "cancelled" : null;
    payout.dueMs = nowMs;
  }
  return moved;
}

export function cancelRest(
  tables: Tables,
  { id, reason, actor }: { id: string; reason: string | null; actor: string },
  nowMs: number,
): number | null {
  const batch = tables.batches.get(id);
  if (!batch || (batch.state !== "approved" && batch.state !== "paused")) return null;
  batch.state = "paused";
  batch.cancelling = true;
  batch.reason = reason ?? "the rest was cancelled";
  const cancelled = movePayouts(tables, batch, "cancel", actor, nowMs);
  tables.audit.push({ actor, action: "cancel_rest", object: id, facts: { reason, cancelled } });
  return cancelled;
}

export function cancelDeferred(tables: Tables, batchId: string, nowMs: number): number {
  const batch = tables.batches.get(batchId);
  return batch ? movePayouts(tables, batch, "cancel", "sweep", nowMs) : 0;
}

export function progressOf(tables: Tables, batchId: string): Progress[] {
  const groups = Map.groupBy(
    [...(tables.batches.get(batchId)?.payouts.values() ?? [])].flat(),
    ({ state, lane }) => `${lane} ${state}`,
  );
  return [...groups.values()]
    .flatMap((rows) => {
      const [first] = rows;
      const { state, lane } = first ?? {};
      return state && lane ? [{ state, lane, count: rows.length, sum: sumOf(rows) }] : [];
    })
    .sort(
      (one, other) => order(one.sum.currency, other.sum.currency) || order(one.state, other.state),
    );
}

const order = (one: string, other: string): number => Number(one > other) - Number(one < other);

export function finishBatch(tables: Tables, id: string, at: Date, nowMs: number) {
  const payouts = [...(tables.batches.get(id)?.payouts.values() ?? [])].flat();
  if (payouts.length === 0 || payouts.some(({ state }) => !isFinal(state))) return null;
  const all = (wanted: string) => payouts.every(({ state }) => state === wanted);
  const event: BatchEvent = all("settled")
    ? "finish"
    : all("cancelled")
      ? "finish_cancelled"
      : "finish_with_exceptions";
  const moved = moveBatch(tables, { id, event, reason: null, actor: "sweep" }, at, nowMs);
  return moved === null ? null : BATCH_LIFECYCLE[event].to;
}

export function dueWork(
  tables: Tables,
  batchId: string,
  lane: string,
  sizeMax: number,
  nowMs: number,
): { toSend: number; toAsk: number; open: boolean } {
  let toSend = 0;
  let toAsk = 0;
  let open = false;
  for (const payout of inLane(tables, batchId, lane)) {
    const toBeSent = payout.state === "approved";
    if (!toBeSent && !isAtGateway(payout)) continue;
    open = true;
    if (payout.dueMs > nowMs) continue;
    if (toBeSent) toSend += 1;
    else toAsk += 1;
  }
  return { toSend: Math.min(toSend, sizeMax), toAsk: Math.min(toAsk, sizeMax), open };
}

export function countInDoubt(tables: Tables, lane: string): number {
  let count = 0;
  for (const batch of tables.batches.values()) {
    if (batch.state !== "approved") continue;
    for (const { state } of batch.payouts.get(lane) ?? []) count += Number(state === "in_doubt");
  }
  return count;
}
