import type { Acknowledgement, DecisiveFinding } from "#approval/acknowledgements.ts";
import { type ApprovalProblem, mayApprove } from "#approval/approval.ts";
import type { Clock } from "#base/clock.ts";
import { minorTexts, totalsOf } from "#flows/approval/approve.ts";
import type { RecordRefusal } from "#ledger/approval/approvals.ts";
import type { Ledger } from "#ledger/ledger.ts";
import type { Money } from "#money/money.ts";
import { err, type Result } from "#base/result.ts";
import { withSpan } from "#base/telemetry/spans.ts";
import type { SendTime } from "#schedule/release.ts";

export interface DashboardApproval {
  readonly batchId: string;
  readonly userId: string;
  /** The session in which the approval is given. Undefined: not given on the dashboard. */
  readonly sessionId?: string | undefined;
  /** The content digest of the batch as it was shown. */
  readonly contentDigest: string;
  /** The totals as the approver typed them, one entry per currency of the batch. */
  readonly totals: ReadonlyMap<string, Money>;
  /** The findings that an approver must acknowledge. Undefined: none. */
  readonly decisive?: readonly DecisiveFinding[] | undefined;
  /** The findings that this approver has acknowledged. */
  readonly acknowledged?: readonly Acknowledgement[] | undefined;
  /** The time at which the batch is sent. Null: immediately. Undefined: the time planned before. */
  readonly send?: SendTime | null | undefined;
}

export type DashboardApprovalRefusal =
  | { readonly kind: "not_found" }
  | { readonly kind: "differs"; readonly problems: readonly ApprovalProblem[] }
  | RecordRefusal;

/**
 * Records one person's approval of a batch in the version that the person saw. The last required
 * approval approves the batch. The ledger decides whether the approval is permitted, in the
 * transaction that records it. Returns how many approvals are still missing.
 */
export const approveAs = (
  approval: DashboardApproval,
  deps: ApprovalDeps,
): Promise<Result<{ readonly missing: number }, DashboardApprovalRefusal>> =>
  withSpan({ name: "record approval", of: { batchId: approval.batchId } }, () =>
    recordApproval(approval, deps),
  );

async function recordApproval(
  approval: DashboardApproval,
  { ledger, clock }: ApprovalDeps,
): Promise<Result<{ readonly missing: number }, DashboardApprovalRefusal>> {
  const { batchId, userId, sessionId, contentDigest, totals, send } = approval;
  const { decisive, acknowledged } = approval;
  const batch = await ledger.payout.findBatch({ id: batchId });
  if (!batch) return err({ kind: "not_found" });
  const given = { actor: `user:${userId}`, contentDigest, totals };
  const allowed = mayApprove(
    { contentDigest: batch.contentDigest, totals: totalsOf(batch) },
    given,
  );
  if (!allowed.ok) return err({ kind: "differs", problems: allowed.error });

  await ledger.integrity.remember(batchId);
  const { hours } = await ledger.approval.readApprovalPolicy();
  return ledger.approval.recordApproval({
    batchId,
    userId,
    sessionId,
    contentDigest,
    send,
    totals: minorTexts(totals),
    decisive,
    acknowledged,
    at: new Date(clock.nowMs()),
    hours,
  });
}

export interface ApprovalDeps {
  readonly ledger: Ledger;
  readonly clock: Pick<Clock, "nowMs">;
}
