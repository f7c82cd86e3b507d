import { type Selectable, sql } from "kysely";
import { BATCH_STATES, isBeforeApproval } from "#intake/batch/batch-lifecycle.ts";
import type { Database } from "#ledger/store/database.ts";
import { type Progress, progressOf, progressOfBatches } from "#ledger/payout/progress.ts";
import type { Tables } from "#ledger/store/tables.ts";
import type { PayoutState } from "#payout/payout-lifecycle.ts";

type Countable = Pick<Selectable<Tables["batches"]>, "id" | "state" | "outcome">;

/**
 * Returns the progress of those batches that were approved. That of a finished batch is stored with
 * it.
 */
export async function findProgress(
  database: Database,
  batches: readonly Countable[],
): Promise<ReadonlyMap<string, readonly Progress[]>> {
  const approved = batches.filter(({ state }) => !isBeforeApproval(state));
  const open = approved.filter(({ outcome, state }) => !outcome && !BATCH_STATES[state].final);
  const known = new Map(
    await progressOfBatches(
      database,
      open.map(({ id }) => id),
    ),
  );
  // One after the other, so that a list does not take all connections.
  for (const { id, state, outcome } of approved) {
    if (outcome) known.set(id, (outcome as Outcome).map(opened));
    else if (BATCH_STATES[state].final) known.set(id, await storeOutcome(database, id));
  }
  return known;
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
