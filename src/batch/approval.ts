import { err, ok, type Result } from "#result.ts";
import type { Money } from "#money/money.ts";

/** What the approver saw and says yes to. */
export interface Approval {
  readonly actor: string;
  /** The content digest of the batch as it was shown. */
  readonly contentDigest: string;
  /** The total of each currency, as the approver typed it: one entry per currency of the batch. */
  readonly totals: ReadonlyMap<string, Money>;
}

export interface Approvable {
  readonly contentDigest: string;
  readonly totals: ReadonlyMap<string, Money>;
}

export interface ApprovalProblem {
  readonly code: "content_changed" | "total_missing" | "total_differs" | "total_of_no_row";
  readonly currency: string | null;
}

/**
 * May this batch be approved with these words? The totals come from the approver's own system, not from the screen:
 * they are the check that neither a lost tail of the file nor a slipped decimal gets through.
 * Who may approve whose batch is decided by the ledger (migrations/0004-approvals.sql).
 */
export function mayApprove(
  batch: Approvable,
  approval: Approval,
): Result<true, readonly ApprovalProblem[]> {
  const problems: ApprovalProblem[] = [];
  if (approval.contentDigest !== batch.contentDigest) {
    problems.push({ code: "content_changed", currency: null });
  }
  for (const [currency, total] of batch.totals) {
    const given = approval.totals.get(currency);
    if (!given) problems.push({ code: "total_missing", currency });
    else if (given.minor !== total.minor || given.minorDigits !== total.minorDigits) {
      problems.push({ code: "total_differs", currency });
    }
  }
  for (const currency of approval.totals.keys()) {
    if (!batch.totals.has(currency)) problems.push({ code: "total_of_no_row", currency });
  }
  return problems.length === 0 ? ok(true) : err(problems);
}
