import type { Repeat } from "#intake/batch/exact-duplicates.ts";
import type { Desk } from "#views/deps.ts";
import type { Batch } from "#ledger/payout/batches.ts";
import { findRepeats } from "#ledger/intake/exact-duplicates.ts";

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

interface Look {
  readonly contentDigest: string;
  readonly found: Promise<readonly Repeat[]>;
  untilMs: number;
}

const looks = new Map<string, Look>();

/**
 * Returns the exact duplicates of a batch in other batches. Null: the search in a large batch is
 * still running.
 */
export const repeatsIn = (batch: Batch, desk: Desk): Promise<readonly Repeat[] | null> =>
  Promise.race([lookOnce(batch, desk), desk.clock.sleep(PATIENCE_MS).then(() => null)]);

/**
 * Drops the result after a user has explained why a batch may contain exact duplicates, so that the
 * next request shows it.
 */
export const forgetRepeats = (batchId: string): boolean => looks.delete(batchId);

/** Runs one search per batch, on one connection, regardless of the number of requests. */
function lookOnce({ id, contentDigest }: Batch, desk: Desk): Look["found"] {
  const { database, clock } = desk;
  const last = looks.get(id);
  if (last?.contentDigest === contentDigest && clock.monotonicMs() < last.untilMs) {
    return last.found;
  }
  forgetOld(clock.monotonicMs());
  const found = findRepeats(database, id, new Date(clock.nowMs()));
  const look: Look = { contentDigest, found, untilMs: Infinity };
  looks.set(id, look);
  void keepOrForget(id, look, desk);
  return found;
}

function forgetOld(nowMs: number): void {
  for (const [batchId, { untilMs }] of looks) {
    if (untilMs < nowMs) looks.delete(batchId);
  }
}

async function keepOrForget(batchId: string, look: Look, { clock, log }: Desk): Promise<void> {
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
  if (!isLong && looks.get(batchId) === look) looks.delete(batchId);
}
