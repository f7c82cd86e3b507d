import type { Database } from "#ledger/store/database.ts";
import { findBlockedAmong } from "#ledger/approval/policy/blocked-batches.ts";
import { findSendTimes } from "#ledger/schedule/send-times.ts";
import { sendTimeView } from "#views/schedule/send-time.ts";

/**
 * Returns the facts that, together with the state of a batch, decide how the state is shown: its
 * send time, and whether exact duplicates block it.
 */
export async function findBatchStatuses(database: Database, batchIds: readonly string[]) {
  const [sendTimes, blocked] = await Promise.all([
    findSendTimes(database, batchIds),
    findBlockedAmong(database, batchIds),
  ]);
  return (batchId: string) => ({
    send: sendTimeView(sendTimes.get(batchId)),
    needs_duplicate_reason: blocked.has(batchId),
  });
}
