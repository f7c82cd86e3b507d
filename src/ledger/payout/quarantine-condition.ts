import { type RawBuilder, sql } from "kysely";

/** Returns the condition of a claim that the batch is not in quarantine. */
export const notQuarantined = (batchId: RawBuilder<unknown> | string): RawBuilder<boolean> =>
  sql<boolean>`not exists (
    select from quarantine q where q.batch_id = ${batchId} and q.decision is distinct from 'released')`;

/**
 * Returns the condition of an approval, for a row of `batches`: the restore memory contains the
 * batch, and it is not in quarantine.
 */
export const mayBeApproved = (batchId: string): RawBuilder<boolean> =>
  sql<boolean>`(remembered_digest = content_digest and ${notQuarantined(batchId)})`;
