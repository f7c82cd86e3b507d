import { decisiveFindings } from "#approval/acknowledgements.ts";
import { findStoredChecks, type StoredChecks } from "#ledger/approval/stored-anomalies.ts";
import type { Batch } from "#ledger/payout/batches.ts";
import { analyseOnce, FRESH_MS } from "#views/approval/anomalies.ts";
import type { ServerDeps } from "#views/deps.ts";

/**
 * Returns the number of findings in each batch that an approver must acknowledge. It lacks the
 * batches that have not been analysed yet, and starts their analysis.
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
  return new Map(stored.map((each) => [each.batchId, decisiveCount(each)]));
}

/** One batch after another, so that a long list leaves the database to other work. */
async function analyseInTurn(batches: readonly Batch[], deps: ServerDeps): Promise<void> {
  for (const batch of batches) await analyseOnce(batch, deps);
}

const decisiveCount = ({ checks, overlaps }: StoredChecks): number => {
  const found = new Set(checks);
  return overlaps + decisiveFindings({ rowsOf: (check) => +found.has(check), overlaps: [] }).length;
};
