import { claimDeposit, insertDeposit } from "#ledger/deposit/attempts.ts";
import { claimReference } from "#ledger/deposit/payer-reference.ts";
import { insertResolution, findProposedResolution } from "#ledger/deposit/manual-resolution.ts";
import {
  findDepositWork,
  storeDepositEvidence,
  findDueDeposits,
  claimDueDeposit,
  moveDeposit,
  makeDepositQueryDue,
} from "#ledger/deposit/transitions.ts";
import { hasApprover, recordDecision, type Decision } from "#ledger/payout/resolution-refusals.ts";
import { recordDepositQuery } from "#ledger/deposit/history.ts";
import { bind } from "#ledger/steps/bind.ts";
import type { Database } from "#ledger/store/database.ts";
import type { Sealer } from "#ledger/store/sealing.ts";

/** Steps about deposits. */
export const depositSteps = (database: Database, sealer: Sealer) => ({
  ...bind([database], {
    findDepositWork,
    storeDepositEvidence,
    findDueDeposits,
    claimDueDeposit,
    makeDepositQueryDue,
    insertResolution,
    findProposedResolution,
    hasApprover,
    recordDepositQuery,
  }),
  ...bind([database, sealer], { moveDeposit, claimDeposit, claimReference, insertDeposit }),
  recordDecision: (decision: Decision) => recordDecision(database, "deposit_resolutions", decision),
});
export type DepositSteps = ReturnType<typeof depositSteps>;
