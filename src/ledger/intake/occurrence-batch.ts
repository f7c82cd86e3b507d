import { sql } from "kysely";
import { storedAsNumbers } from "#ledger/intake/batch-findings.ts";
import { markSentForApproval } from "#ledger/intake/batch-description.ts";
import { endOccurrence } from "#ledger/schedule/occurrences.ts";
import type { Database } from "#ledger/store/database.ts";
import { whyNotSentForApproval } from "#schedule/schedule.ts";

/** The occurrence for which a batch is created, stored with it in one commit. */
export interface BatchOccurrence {
  readonly id: string;
  readonly day: string;
  /** The version of the schedule that the batch is created from. */
  readonly version: number;
  /**
   * The batch whose rows are paid again. Its uploader and editors also count as editors of this
   * one.
   */
  readonly list: string | null;
  /** Note on the occurrence. */
  readonly note: string | null;
}

/**
 * Thrown when somebody else has ended the occurrence, or has changed its schedule. The batch is not
 * stored.
 */
export class OccurrenceEnded extends Error {}

/**
 * Ends the occurrence with the batch that is being written, and sends the batch for approval if it
 * has no problems.
 *
 * @throws OccurrenceEnded
 */
export async function endOccurrenceWithBatch(
  transaction: Database,
  { list, note, ...occurrence }: BatchOccurrence,
  batch: { readonly id: string; readonly actor: string; readonly rejected: number },
  at: Date,
): Promise<void> {
  const { id: batchId, actor, rejected } = batch;
  const { length: numbers } = await storedAsNumbers(transaction, batchId);
  const obstacle = whyNotSentForApproval({ rejected, numbers });
  const why = [note, obstacle].filter((text) => text !== null).join(" ") || null;
  const ended = await endOccurrence(
    transaction,
    occurrence,
    { state: "created", batchId, why },
    at,
  );
  if (!ended) throw new OccurrenceEnded();
  await sql`
    insert into batch_editors (batch_id, actor)
    select ${batchId}, actor from (
      select maker as actor from batches where id = ${list}
      union select actor from batch_editors where batch_id = ${list}
      union select unnest(editors) from schedules where id = ${occurrence.id}
    ) before where actor <> ${actor}
    on conflict do nothing`.execute(transaction);
  if (obstacle !== null) return;
  await markSentForApproval(transaction, { batchId, leaveOut: false, compared: [], actor, at });
}
