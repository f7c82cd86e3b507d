import type { ExactDuplicates } from "#intake/batch/exact-duplicates.ts";
import type { ServerDeps } from "#views/deps.ts";
import type { Batch } from "#ledger/payout/batches.ts";
import { findExactDuplicates } from "#ledger/intake/exact-duplicates.ts";

/**
 * Milliseconds that the approval sheet waits for the search. The approval itself waits until the
 * search finishes.
 */
const PATIENCE_MS = 800;
/**
 * Milliseconds to keep a result of a search that took longer, for requests that come later. The
 * approval always searches again.
 */
const KEPT_MS = 10_000;

interface DuplicateSearch {
  readonly contentDigest: string;
  readonly found: Promise<readonly ExactDuplicates[]>;
  untilMs: number;
}

const searches = new Map<string, DuplicateSearch>();

/**
 * Returns the exact duplicates of a batch in other batches. Null: the search in a large batch is
 * still running.
 */
export const exactDuplicatesIn = (
  batch: Batch,
  deps: ServerDeps,
): Promise<readonly ExactDuplicates[] | null> =>
  Promise.race([searchOnce(batch, deps), deps.clock.sleep(PATIENCE_MS).then(() => null)]);

/**
 * Drops the result after a user has explained why a batch may contain exact duplicates, so that the
 * next request shows it.
 */
export const forgetExactDuplicates = (batchId: string): boolean => searches.delete(batchId);

/** Runs one search per batch, on one connection, regardless of the number of requests. */
function searchOnce({ id, contentDigest }: Batch, deps: ServerDeps): DuplicateSearch["found"] {
  const { database, clock } = deps;
  const last = searches.get(id);
  if (last?.contentDigest === contentDigest && clock.monotonicMs() < last.untilMs) {
    return last.found;
  }
  forgetOld(clock.monotonicMs());
  const found = findExactDuplicates(database, id, new Date(clock.nowMs()));
  const look: DuplicateSearch = { contentDigest, found, untilMs: Infinity };
  searches.set(id, look);
  void keepOrForget(id, look, deps);
  return found;
}

function forgetOld(nowMs: number): void {
  for (const [batchId, { untilMs }] of searches) {
    if (untilMs < nowMs) searches.delete(batchId);
  }
}

async function keepOrForget(
  batchId: string,
  look: DuplicateSearch,
  { clock, log }: ServerDeps,
): Promise<void> {
  const startedMs = clock.monotonicMs();
  let isLong = false;
  try {
    await look.found;
    const nowMs = clock.monotonicMs();
    isLong = nowMs - startedMs >= PATIENCE_MS;
    look.untilMs = nowMs + KEPT_MS;
  } catch (error) {
    log.warn({ err: error, batch: batchId }, "failed to search for exact duplicates");
  }
  if (!isLong && searches.get(batchId) === look) searches.delete(batchId);
}
