import type { BatchFilter } from "#api/intake/batch-list.ts";
import { findBlockedBatches } from "#ledger/approval/policy/blocked-batches.ts";
import { findDeclinedToRetry } from "#ledger/operations/home-tasks.ts";
import type { Database } from "#ledger/store/database.ts";
import type { Person } from "#views/person.ts";

/** Filters of the list of batches, with the batches of its task instead of the task. */
export type ResolvedFilter = Omit<BatchFilter, "task"> & { readonly ids?: readonly string[] };

/** Returns the query with the IDs of the batches in which this person has the task. */
export async function withTask<Query extends Pick<BatchFilter, "task">>(
  database: Database,
  { task, ...query }: Query,
  { actor }: Pick<Person, "actor">,
): Promise<Omit<Query, "task"> & Pick<ResolvedFilter, "ids">> {
  if (task === undefined) return query;
  if (task === "duplicates") return { ...query, ids: await findBlockedBatches(database, actor) };
  const { totals } = await findDeclinedToRetry(database, actor);
  return { ...query, ids: [...totals.keys()] };
}
