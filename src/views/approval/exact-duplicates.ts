import type { ExactDuplicates } from "#intake/batch/exact-duplicates.ts";
import type { ServerDeps } from "#views/deps.ts";
import type { Batch } from "#ledger/payout/batches.ts";
import { countAllowedDuplicates, findExactDuplicates } from "#ledger/intake/exact-duplicates.ts";

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
  /** How often someone had explained the duplicates when the search began. */
  readonly explained: Promise<number>;
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
 * Runs one search per batch, on one connection, regardless of the number of requests. A result is
 * dropped when someone has explained the duplicates since, also on another server.
 */
async function searchOnce(
  { id, contentDigest }: Pick<Batch, "id" | "contentDigest">,
  deps: ServerDeps,
): Promise<readonly ExactDuplicates[]> {
  const { database, clock } = deps;
  const last = searches.get(id);
  if (last?.contentDigest === contentDigest && clock.monotonicMs() < last.untilMs) {
    const explained = await countAllowedDuplicates(database, id);
    if (explained === (await last.explained)) return last.found;
    if (searches.get(id) === last) searches.delete(id);
    return searchOnce({ id, contentDigest }, deps);
  }
  forgetOld(clock.monotonicMs());
  const explained = countAllowedDuplicates(database, id);
  explained.catch(() => {}); // the search fails as well
  const found = findExactDuplicates(database, id, new Date(clock.nowMs()));
  const look: DuplicateSearch = { contentDigest, explained, found, untilMs: Infinity };
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
