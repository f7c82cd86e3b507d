import { refusalIn } from "#ledger/store/database-errors.ts";

/**
 * The maker-checker rule: a batch is approved by another person than its uploader and editors.
 * Constraints of the database check it on every approval, whatever code writes the approval
 * (migrations/0004-approvals.sql). Each constraint has a refusal here.
 */
const REFUSALS = {
  approval_of_waiting_batch: "wrong_state",
  approval_of_what_is_there: "content_changed",
  approval_by_another: "own_batch",
  approval_by_approver: "not_an_approver",
  approvals_not_withdrawn: "already_approved",
  approval_of_released_batch: "quarantined",
  approval_with_second_factor: "second_factor_required",
} as const;

export type ApproverRefusal = (typeof REFUSALS)[keyof typeof REFUSALS];

/** Returns why the database refused an approval. Null: the error has another cause. */
export const approverRefusal = (error: unknown): ApproverRefusal | null =>
  refusalIn(error, REFUSALS);
