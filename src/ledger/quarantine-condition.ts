import { type RawBuilder, sql } from "kysely";

/** The condition of a claim. */
export const notQuarantined = (batchId: RawBuilder<unknown> | string): RawBuilder<boolean> =>
  sql<boolean>`not exists (
    select from quarantine q where q.batch_id = ${batchId} and q.decision is distinct from 'released')`;

/** The condition of an approval, of a row of `batches`: a memory outside the ledger holds the batch, and it is not in quarantine. */
export const mayBeApproved = (batchId: string): RawBuilder<boolean> =>
  sql<boolean>`(remembered_digest = content_digest and ${notQuarantined(batchId)})`;
