import { type ApprovalProblem, mayApprove } from "#batch/approval.ts";
import type { Clock } from "#clock.ts";
import { minorTexts, totalsOf } from "#flows/approve.ts";
import { readApprovals } from "#ledger/approval-rules.ts";
import { recordApproval, type RecordRefusal } from "#ledger/approvals.ts";
import type { Database } from "#ledger/database.ts";
import type { Ledger } from "#ledger/ledger.ts";
import type { Money } from "#money/money.ts";
import { err, type Result } from "#result.ts";
import type { SendTime } from "#schedule/release.ts";

export interface DeskApproval {
  readonly batchId: string;
  readonly userId: string;
  /** The content digest of the batch as it was shown. */
  readonly contentDigest: string;
  /** As the approver typed them, one entry per currency of the batch. */
  readonly totals: ReadonlyMap<string, Money>;
  /** When it goes out; null: at once; undefined: as it was to. */
  readonly send?: SendTime | null | undefined;
}

export type DeskRefusal =
  | { readonly kind: "not_found" }
  | { readonly kind: "differs"; readonly problems: readonly ApprovalProblem[] }
  | RecordRefusal;

/**
 * One person's approval of a batch as it was seen. The last one that is missing approves the batch; whether it may be
 * given at all is decided by the ledger, in the transaction that keeps it. Returns how many are missing still.
 */
export async function approveAs(
  { batchId, userId, contentDigest, totals, send }: DeskApproval,
  { ledger, database, clock }: DeskDeps,
): Promise<Result<{ readonly missing: number }, DeskRefusal>> {
  const batch = await ledger.findBatch({ id: batchId });
  if (!batch) return err({ kind: "not_found" });
  const given = { actor: `user:${userId}`, contentDigest, totals };
  const allowed = mayApprove(
    { contentDigest: batch.contentDigest, totals: totalsOf(batch) },
    given,
  );
  if (!allowed.ok) return err({ kind: "differs", problems: allowed.error });

  await ledger.remember(batchId);
  const { hours } = await readApprovals(database);
  return recordApproval(database, {
    batchId,
    userId,
    contentDigest,
    send,
    totals: minorTexts(totals),
    at: new Date(clock.nowMs()),
    hours,
  });
}

export interface DeskDeps {
  readonly ledger: Ledger;
  readonly database: Database;
  readonly clock: Pick<Clock, "nowMs">;
}
