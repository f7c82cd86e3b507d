import { BATCH_STATES } from "#intake/batch/batch-lifecycle.ts";
import type { Freeze, FreezeOrder } from "#ledger/integrity/freeze.ts";
import type { LaneProgress, StatusQuery } from "#ledger/ledger.ts";
import type { UnfreezeOrder } from "#ledger/integrity/restore/unqueried.ts";
import { isFinal, isUnsent } from "#payout/payout-lifecycle.ts";
import { storedReason as reasonOf } from "#payout/reasons.ts";
import { step, clearStatusAnswer } from "./payouts.ts";
import { statusQueryOf } from "./status-queries.ts";
import type { PayoutRow, Tables } from "./tables.ts";

/** Freezing after a restore: src/ledger/integrity/freeze.ts, unasked.ts and guard.ts in memory. */

type Order = Omit<FreezeOrder, "at">;

/** The running server and the history that a process has seen. */
export interface Verified {
  readonly server: number;
  readonly epoch: number;
}

/** The condition of a claim. */
export const maySend = ({ epoch }: Tables, server: number, verified: Verified | null): boolean =>
  verified !== null &&
  epoch.frozenMs === null &&
  epoch.number === verified.epoch &&
  server === verified.server;

/** Freezes a restored copy: its history differs from the one that it recorded. */
export function verify(tables: Tables, server: number, nowMs: number): Freeze | null {
  const { epoch } = tables;
  if (epoch.server !== server) {
    const reason = "an older copy was put back";
    begin(tables, { reason, actor: "payrun" }, nowMs);
    tables.epoch.server = server;
  }
  const { number, frozenMs, reason } = tables.epoch;
  return frozenMs === null
    ? null
    : { epoch: number, cause: "frozen", reason, since: new Date(frozenMs) };
}

/** Freezes the ledger. Returns the new epoch. Null: the ledger is already frozen. */
export const freeze = (tables: Tables, order: Order, nowMs: number): number | null =>
  tables.epoch.frozenMs === null ? begin(tables, order, nowMs) : null;

/** A new epoch, frozen. */
function begin(tables: Tables, { reason, actor }: Order, nowMs: number): number {
  const epoch = tables.epoch.number + 1;
  const knownUntil = tables.payouts.length;
  tables.epoch = { ...tables.epoch, number: epoch, frozenMs: nowMs, reason, knownUntil };
  for (const payout of tables.payouts) {
    if (!isFinal(payout.state) && payout.state !== "submitting") {
      payout.dueMs = Math.min(payout.dueMs, nowMs);
      clearStatusAnswer(payout);
      if (payout.state === "in_doubt") payout.unansweredMs = nowMs;
    }
  }
  const facts = { epoch, reason };
  tables.audit.push({ actor, action: "freeze", object: "ledger", facts });
  return epoch;
}

const isOpen = ({ batches }: Tables, { batchId, state }: PayoutRow): boolean => {
  const batch = batches.get(batchId);
  return batch !== undefined && !BATCH_STATES[batch.state].final && !isFinal(state);
};

const isUnqueried = ({ epoch }: Tables, { queriedMs }: PayoutRow): boolean =>
  queriedMs === null || queriedMs < (epoch.frozenMs ?? 0);

/**
 * Ends a freeze. False: the epoch is another one, or payouts were not queried yet and may not be
 * put on hold.
 */
export function unfreeze(
  tables: Tables,
  { epoch, reason, actor, holdUnqueried = false }: Omit<UnfreezeOrder, "at">,
): boolean {
  if (tables.epoch.number !== epoch || tables.epoch.frozenMs === null) return false;
  const left = tables.payouts.filter(
    (payout) => isOpen(tables, payout) && isUnqueried(tables, payout),
  );
  if (left.length > 0 && !holdUnqueried) return false;
  for (const payout of left) {
    payout.reason = reasonOf("not_queried");
    step(tables, payout, "hold", { reason: payout.reason, actor });
  }
  tables.epoch = { ...tables.epoch, frozenMs: null, reason: "" };
  tables.audit.push({
    actor,
    action: "unfreeze",
    object: "ledger",
    facts: { epoch, reason, held: left.length },
  });
  return true;
}

/**
 * Counts the payouts in progress in each lane of a frozen ledger, and those not queried since the
 * freeze.
 */
export function laneProgress(tables: Tables): LaneProgress[] {
  if (tables.epoch.frozenMs === null) return [];
  const open = tables.payouts.filter((payout) => isOpen(tables, payout));
  return [...Map.groupBy(open, ({ lane }) => lane)]
    .map(([lane, payouts]) => ({
      lane,
      open: payouts.length,
      unqueried: payouts.filter((payout) => isUnqueried(tables, payout)).length,
    }))
    .sort((one, other) => (one.lane < other.lane ? -1 : 1));
}

/** Claims payouts of a frozen ledger that have not been queried since the freeze. */
export function claimUnsent(
  tables: Tables,
  take: { readonly after: number; readonly sizeMax: number; readonly leaseMs: number },
  nowMs: number,
): StatusQuery[] {
  if (tables.epoch.frozenMs === null) return [];
  const due = tables.payouts.filter(
    (payout) =>
      payout.id > take.after &&
      isUnsent(payout.state) &&
      payout.dueMs <= nowMs &&
      isUnqueried(tables, payout),
  );
  return due.slice(0, take.sizeMax).map((payout) => {
    payout.dueMs = nowMs + take.leaseMs;
    return statusQueryOf(tables, payout, nowMs);
  });
}
