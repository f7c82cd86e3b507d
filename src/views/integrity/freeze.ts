import type { OPERATIONS_API } from "#api/operations/operations.ts";
import type { AnswerOf } from "#api/app/operation.ts";
import type { ServerDeps } from "#views/deps.ts";
import { findLostBatches, findUndecidedBatches } from "#ledger/intake/quarantine.ts";
import { doesMemoryCoverGap, findSinceFreeze } from "#ledger/integrity/since-freeze.ts";
import { reasonText } from "#payout/reasons.ts";

type FreezeView = AnswerOf<(typeof OPERATIONS_API)["GET /api/operations/freeze"]>["freeze"];

type FreezeDeps = Pick<ServerDeps, "database" | "ledger">;

const FINDINGS_MAX = 50;

/** Returns the facts for the decision to unfreeze the ledger. Null: it is not frozen. */
export async function freezeView(desk: FreezeDeps): Promise<FreezeView> {
  const { database, ledger } = desk;
  const freeze = await ledger.integrity.verify();
  if (!freeze) return null;
  const { epoch, cause, since, reason } = freeze;
  const lanes = await ledger.integrity.laneProgress();
  const found = since ? await findSinceFreeze(database, since, FINDINGS_MAX) : null;
  return {
    epoch,
    cause,
    since: since?.toISOString() ?? null,
    reason,
    lanes: lanes.map(({ lane, open, unqueried }) => ({ lane, in_progress: open, unqueried })),
    on_hold_count: found?.heldCount ?? 0,
    on_hold: (found?.held ?? []).map((payout) => ({
      transaction_code: payout.transactionCode,
      batch_id: payout.batchId,
      text: payout.reason ? reasonText(payout.reason) : "",
    })),
    stray_count: found?.strayCount ?? 0,
    stray_codes: [...(found?.strayCodes ?? [])],
    ...(await gapOf(since, desk)),
  };
}

export type Gap = Awaited<ReturnType<typeof gapOf>>;

/**
 * Returns the batches that a restored ledger may pay twice, and whether the lost period is fully
 * known.
 */
export async function gapOf(since: Date | null, { database, ledger }: FreezeDeps) {
  const memorySince = await ledger.integrity.restoreMemorySince().catch(() => null);
  const lost = await findLostBatches(database, "unacknowledged");
  const undecided = await findUndecidedBatches(database);
  return {
    lost: lost.map((each) => ({
      batch_id: each.batchId,
      file: each.fileName,
      uploaded_at: each.takenInAt.toISOString(),
      rows: each.rows,
      totals: { ...each.totals },
      host: each.host,
    })),
    quarantine: undecided.map((each) => ({
      batch_id: each.batchId,
      file: each.fileName,
      created_at: each.arrivedAt.toISOString(),
      rows: each.rows,
    })),
    memory_since: memorySince?.toISOString() ?? null,
    memory_covers: since === null || (await doesMemoryCoverGap(database, memorySince, since)),
  };
}
