import type { ErasureView } from "#api/integrity/erasures.ts";
import { type Erasure, findErasure, findErasures } from "#ledger/erasure/erasures.ts";
import { findDisplayNames } from "#ledger/people/names.ts";
import type { Database } from "#ledger/store/database.ts";

/** Returns the erasures of people as the API shows them, those that wait for a decision first. */
export async function erasureViews(database: Database): Promise<ErasureView[]> {
  return viewsOf(database, await findErasures(database));
}

/** Returns one erasure; undefined if there is none with this number. */
export async function erasureView(
  database: Database,
  id: number,
): Promise<ErasureView | undefined> {
  const found = await findErasure(database, id);
  return found ? (await viewsOf(database, [found]))[0] : undefined;
}

async function viewsOf(database: Database, erasures: readonly Erasure[]): Promise<ErasureView[]> {
  const actors = erasures.flatMap(({ proposedBy, decidedBy }) =>
    decidedBy === null ? [proposedBy] : [proposedBy, decidedBy],
  );
  const nameOf = await findDisplayNames(database, actors, null);
  const personOf = (actor: string) => ({ actor, name: nameOf(actor).name });
  return erasures.map((each) => ({
    id: each.id,
    reason: each.reason,
    state: stateOf(each),
    proposed_by: personOf(each.proposedBy),
    at: each.at.toISOString(),
    decided_by: each.decidedBy === null ? null : personOf(each.decidedBy),
    decided_at: each.decidedAt?.toISOString() ?? null,
    kind: each.kind,
    payouts: each.payouts,
    file_rows: each.fileRows,
    comments: each.comments,
    completed_at: each.completedAt?.toISOString() ?? null,
  }));
}

function stateOf({ outcome, completedAt }: Erasure): ErasureView["state"] {
  if (outcome === null) return "proposed";
  if (outcome === "refused") return "rejected";
  return completedAt === null ? "erased" : "complete";
}
