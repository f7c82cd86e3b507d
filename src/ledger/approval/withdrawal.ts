import { sql } from "kysely";
import { stateWhenValid } from "#intake/batch/batch-lifecycle.ts";
import { endRequest, type ReturnOrder } from "#ledger/approval/approvals.ts";
import { lockBatch } from "#ledger/intake/batch-description.ts";
import { laneTotals } from "#ledger/intake/lane-totals.ts";
import type { Database } from "#ledger/store/database.ts";
import { err, ok, type Result } from "#base/result.ts";

export type WithdrawalRefusal = "not_found" | "not_uploader" | "no_draft" | "not_waiting";

/**
 * Withdraws a batch from approval for a person who uploaded or edited it: it becomes a draft, and
 * its approvals are void. The lock of the batch decides between this and a simultaneous approval.
 */
export async function withdrawBatch(
  transaction: Database,
  { batchId: id, actor, reason, at }: ReturnOrder,
): Promise<Result<true, WithdrawalRefusal>> {
  await lockBatch(transaction, id);
  const userId = actor.startsWith("user:") ? actor.slice("user:".length) : null;
  const { rows } = await sql<{
    maker: string;
    isOwn: boolean;
    digest: string;
    approvals: string[];
  }>`
    select b.maker, b.content_digest as digest,
    array(select user_id from live_approvals where batch_id = b.id order by id) as approvals,
    exists (
      select from (
        select b.maker as actor union all select actor from batch_editors where batch_id = b.id
      ) editors
      where editors.actor = ${actor} or stands_behind(${userId}::text, editors.actor)
    ) as "isOwn"
    from batches b where b.id = ${id}`.execute(transaction);
  const [batch] = rows;
  if (!batch) return err("not_found");
  if (!batch.isOwn) return err("not_uploader");
  if (stateWhenValid(batch.maker) !== "draft") return err("no_draft");
  const facts = {
    reason,
    content_digest: batch.digest,
    totals: await laneTotals(transaction, id),
    void_approvals: batch.approvals,
  };
  // The reason of a batch before approval is that of the approver who sent it back.
  const move = { id, event: "withdraw", reason: null, actor, at, facts } as const;
  const isDone = await endRequest(transaction, move, "the batch was withdrawn from approval");
  return isDone ? ok(true) : err("not_waiting");
}
