import { err, ok, type Result } from "#base/result.ts";
import type { Money } from "#money/money.ts";

/** An approval: what the approver saw and confirmed. */
export interface Approval {
  readonly actor: string;
  /** The content digest of the batch as it was displayed. */
  readonly contentDigest: string;
  /**
   * The total of each currency as the approver typed it, with one entry per currency of the batch.
   */
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
 * Checks whether this approval may approve the batch. The totals come from the approver's own
 * system, not from the screen, so they detect both a truncated file and a shifted decimal point.
 * The ledger decides who may approve whose batch (migrations/0004-approvals.sql).
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
