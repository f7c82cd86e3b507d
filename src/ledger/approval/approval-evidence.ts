import { sql } from "kysely";
import type { Database } from "#ledger/store/database.ts";

/** One approval of a batch as evidence: its approver, time and method. */
export interface ApprovalEvidence {
  readonly actor: string;
  readonly at: Date;
  /** `command_line`: one person approved the batch on the command line, without other people. */
  readonly method: "password" | "second_factor" | "command_line";
  /** Digest of the content that was approved, in hexadecimal. */
  readonly contentDigest: string;
  readonly withdrawnAt: Date | null;
  readonly withdrawnReason: string | null;
}

/** Returns all approvals of a batch, oldest first, including those that no longer count. */
export async function findApprovalEvidence(
  database: Database,
  batchId: string,
): Promise<ApprovalEvidence[]> {
  const { rows } = await sql<ApprovalEvidence>`
    select 'user:' || user_id as actor, at,
      case when second_factor then 'second_factor' else 'password' end as method,
      content_digest as "contentDigest", withdrawn_at as "withdrawnAt",
      withdrawn_reason as "withdrawnReason"
    from approvals where batch_id = ${batchId}
    union all
    select actor, at, 'command_line', content_digest, null, null
    from sole_approvals where batch_id = ${batchId}
    order by at`.execute(database);
  return rows;
}
