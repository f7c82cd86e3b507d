import type { Repeat } from "#batch/repeats.ts";
import type { Desk } from "#http/desk.ts";
import type { Batch } from "#ledger/batches.ts";
import { findRepeats } from "#ledger/repeats.ts";

/** How long the sheet waits; the approval itself waits for as long as it takes. */
const PATIENCE_MS = 800;
/** What nobody could wait for is there for those who ask again; the approval looks anew. */
const KEPT_MS = 10_000;

interface Look {
  readonly contentDigest: string;
  readonly found: Promise<readonly Repeat[]>;
  untilMs: number;
}

const looks = new Map<string, Look>();

/** What other batches pay already; null: a large batch is still being looked through. */
export const repeatsIn = (batch: Batch, desk: Desk): Promise<readonly Repeat[] | null> =>
  Promise.race([lookOnce(batch, desk), desk.clock.sleep(PATIENCE_MS).then(() => null)]);

/** Somebody has said why a batch may repeat others: it is told with the next look. */
export const forgetRepeats = (batchId: string): boolean => looks.delete(batchId);

/** However many ask, and however often, one connection looks. */
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
    log.warn({ err: error, batch: batchId }, "not looked through for what it repeats");
  }
  if (!isLong && looks.get(batchId) === look) looks.delete(batchId);
}
