import type { APPROVAL_API } from "#api/approval/approvals.ts";
import type { AnswerOf } from "#api/app/operation.ts";
import { missingApprovals, totalsOf } from "#views/approval/approval-state.ts";
import type { Person } from "#views/person.ts";
import { findWaitingBatches, whyApprovalsMissing } from "#ledger/approval/waiting-batches.ts";
import { findBatches } from "#ledger/payout/batches.ts";
import { findActorNames } from "#ledger/people/names.ts";
import type { Database } from "#ledger/store/database.ts";

type WaitingBatches = AnswerOf<(typeof APPROVAL_API)["GET /api/approvals"]>;

/** Returns the batches that await approval, and how many of them await this person's. */
export async function waitingBatches(database: Database, person: Person): Promise<WaitingBatches> {
  const waiting = await findWaitingBatches(database, person.kind === "user" ? person.id : null);
  const batches = await findBatches(
    database,
    waiting.map(({ batchId }) => batchId),
  );
  const nameOf = await findActorNames(
    database,
    batches.map(({ maker }) => maker),
  );
  const byId = new Map(batches.map((batch) => [batch.id, batch]));
  const items = waiting.flatMap((each) => {
    const batch = byId.get(each.batchId);
    if (!batch) return [];
    const { fileName, name, createdAt, maker } = batch;
    return {
      batch_id: each.batchId,
      file: fileName,
      name,
      created_at: createdAt.toISOString(),
      maker: { actor: maker, name: nameOf(maker) },
      totals: totalsOf(batch.lanes),
      people: each.peopleNeeded,
      why: each.peopleWhy,
      given: each.given,
      missing: missingApprovals(each),
      blocked: whyApprovalsMissing(each),
      mine: each.mine,
      own: each.own,
      approved: each.approved,
    };
  });
  return { items, mine: items.filter(({ mine }) => mine).length };
}
