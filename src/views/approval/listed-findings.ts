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
  const freshFrom = deps.clock.nowMs() - FRESH_MS;
  const fresh = stored.filter(({ at }) => at.getTime() >= freshFrom);
  const counts = new Map(fresh.map((each) => [each.batchId, decisiveCount(each)]));
  void analyseInTurn(
    batches.filter(({ id }) => !counts.has(id)),
    deps,
  );
  return counts;
}

/** Milliseconds after which a list starts an analysis again that failed. */
const RETRY_AFTER_MS = 60_000;
/** When the analysis of a batch failed. */
const failedMs = new Map<string, number>();
let isAnalysing = false;

/**
 * One batch after another, however many lists are open, so that the database is left to other work.
 * A list is read again while an analysis is missing.
 */
async function analyseInTurn(batches: readonly Batch[], deps: ServerDeps): Promise<void> {
  if (isAnalysing) return;
  isAnalysing = true;
  const { clock } = deps;
  const hasFailedNow = ({ id }: Batch) =>
    clock.monotonicMs() - (failedMs.get(id) ?? -RETRY_AFTER_MS) < RETRY_AFTER_MS;
  try {
    for (const batch of batches.filter((each) => !hasFailedNow(each))) {
      if (await analyseOnce(batch, deps)) failedMs.delete(batch.id);
      else failedMs.set(batch.id, clock.monotonicMs());
    }
  } finally {
    isAnalysing = false;
  }
}

const decisiveCount = ({ checks, overlaps }: StoredChecks): number => {
  const found = new Set(checks);
  return overlaps + decisiveFindings({ rowsOf: (check) => +found.has(check), overlaps: [] }).length;
};
