import { type Selectable, sql } from "kysely";
import { BATCH_STATES, isBeforeApproval } from "#intake/batch/batch-lifecycle.ts";
import type { Database } from "#ledger/store/database.ts";
import { type Progress, progressOf } from "#ledger/payout/progress.ts";
import type { Tables } from "#ledger/store/tables.ts";
import type { PayoutState } from "#payout/payout-lifecycle.ts";

/**
 * Maximum age of a count in milliseconds. Counting a million payouts takes a moment, and many
 * people view a list.
 */
const COUNT_AGE_MAX_MS = 2_000;
/** Maximum share of time spent on counting. A slow count is therefore used for longer. */
const COUNT_SHARE = 0.2;

interface CachedCount {
  readonly progress: Promise<readonly Progress[]>;
  untilMs: number;
}

const counted = new WeakMap<Database, Map<string, CachedCount>>();

type Countable = Pick<Selectable<Tables["batches"]>, "id" | "state" | "outcome">;

/**
 * Returns the progress of those batches that were approved. A finished batch is counted once. A
 * batch in progress is counted at most every two seconds.
 */
export async function findProgress(
  database: Database,
  batches: readonly Countable[],
): Promise<ReadonlyMap<string, readonly Progress[]>> {
  const known = new Map<string, readonly Progress[]>();
  // One after the other, so that a list does not take all connections.
  for (const { id, state, outcome } of batches) {
    if (isBeforeApproval(state)) continue;
    if (outcome) known.set(id, (outcome as Outcome).map(opened));
    else if (BATCH_STATES[state].final) known.set(id, await storeOutcome(database, id));
    else known.set(id, await countAtMostEvery(database, id));
  }
  return known;
}

async function countAtMostEvery(database: Database, id: string): Promise<readonly Progress[]> {
  const counts = counted.get(database) ?? new Map<string, CachedCount>();
  counted.set(database, counts);
  const last = counts.get(id);
  if (last && performance.now() < last.untilMs) return last.progress;
  const startedMs = performance.now();
  const entry: CachedCount = { progress: progressOf(database, id), untilMs: Infinity };
  counts.set(id, entry);
  try {
    const progress = await entry.progress;
    const tookMs = performance.now() - startedMs;
    entry.untilMs = performance.now() + Math.max(COUNT_AGE_MAX_MS, tookMs / COUNT_SHARE);
    return progress;
  } catch (error) {
    counts.delete(id);
    throw error;
  }
}

type Outcome = readonly {
  readonly state: PayoutState;
  readonly lane: string;
  readonly count: number;
  readonly currency: string;
  readonly minor: string;
  readonly digits: number;
}[];

const opened = ({ state, lane, count, currency, minor, digits }: Outcome[number]): Progress => ({
  state,
  lane,
  count,
  sum: { currency, minor: BigInt(minor), minorDigits: digits },
});

/**
 * Stores the progress of a finished batch. A payout that leaves its final state also removes the
 * stored outcome of its batch, so that it is counted again.
 */
async function storeOutcome(database: Database, id: string): Promise<readonly Progress[]> {
  return database.transaction().execute(async (transaction) => {
    await sql`select from batches where id = ${id} for update`.execute(transaction);
    const progress = await progressOf(transaction, id);
    const outcome: Outcome = progress.map(({ state, lane, count, sum }) => ({
      state,
      lane,
      count,
      currency: sum.currency,
      minor: sum.minor.toString(),
      digits: sum.minorDigits,
    }));
    await transaction
      .updateTable("batches")
      .set({ outcome: JSON.stringify(outcome) })
      .where("id", "=", id)
      .execute();
    return progress;
  });
}
