import { decisiveFindings } from "#approval/acknowledgements.ts";
import { findStoredChecks, type StoredChecks } from "#ledger/approval/stored-anomalies.ts";
import type { Batch } from "#ledger/payout/batches.ts";
import { analyseOnce, FRESH_MS } from "#views/approval/anomalies.ts";
import type { ServerDeps } from "#views/deps.ts";

/**
 * Returns the number of findings in each batch that an approver must acknowledge. It lacks the
 * batches without a current analysis, and starts their analysis.
 */
export async function countFindings(
  batches: readonly Batch[],
  deps: ServerDeps,
): Promise<ReadonlyMap<string, number>> {
  const ids = batches.map(({ id }) => id);
  const stored = await findStoredChecks(deps.database, ids, deps.rows.amountLimits);
  const analysedAt = new Map(stored.map(({ batchId, at }) => [batchId, at.getTime()]));
  const freshFrom = deps.clock.nowMs() - FRESH_MS;
  void analyseInTurn(
    batches.filter(({ id }) => (analysedAt.get(id) ?? 0) < freshFrom),
    deps,
  );
  const fresh = stored.filter(({ at }) => at.getTime() >= freshFrom);
  return new Map(fresh.map((each) => [each.batchId, decisiveCount(each)]));
}

/** Milliseconds after which a list starts an analysis again that failed. */
const RETRY_AFTER_MS = 60_000;
/** When the analysis of a batch started that runs or has failed. */
const startedMs = new Map<string, number>();

/** One batch after another, so that a long list leaves the database to other work. */
async function analyseInTurn(batches: readonly Batch[], deps: ServerDeps): Promise<void> {
  for (const batch of batches) {
    const nowMs = deps.clock.monotonicMs();
    if (nowMs - (startedMs.get(batch.id) ?? -RETRY_AFTER_MS) < RETRY_AFTER_MS) continue;
    startedMs.set(batch.id, nowMs);
    if (await analyseOnce(batch, deps)) startedMs.delete(batch.id);
  }
}

const decisiveCount = ({ checks, overlaps }: StoredChecks): number => {
  const found = new Set(checks);
  return overlaps + decisiveFindings({ rowsOf: (check) => +found.has(check), overlaps: [] }).length;
};
