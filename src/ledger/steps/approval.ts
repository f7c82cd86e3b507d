import { hasLiveApproval, recordApproval } from "#ledger/approval/approvals.ts";
import { findBatchLimitBreaches, findUncoveredLanes } from "#ledger/approval/limit-use.ts";
import { readPayoutLimits, writePayoutLimits } from "#ledger/approval/payout-limits.ts";
import {
  readApprovalPolicy,
  writeApprovalPolicy,
} from "#ledger/approval/policy/approval-policy.ts";
import { findWaitingBatches } from "#ledger/approval/waiting-batches.ts";
import { bind } from "#ledger/steps/bind.ts";
import type { Database } from "#ledger/store/database.ts";

/** Steps about approvals, policies and payout limits. */
export const approvalSteps = (database: Database) =>
  bind([database], {
    readPayoutLimits,
    findBatchLimitBreaches,
    findUncoveredLanes,
    readApprovalPolicy,
    recordApproval,
    hasLiveApproval,
    findWaitingBatches,
    writeApprovalPolicy,
    writePayoutLimits,
  });
export type ApprovalSteps = ReturnType<typeof approvalSteps>;
