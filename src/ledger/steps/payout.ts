import { deleteUnusedPreview } from "#ledger/payout/action/unused-previews.ts";
import { findBatch } from "#ledger/payout/batches.ts";
import { findRequestedCanary, setCanary } from "#ledger/payout/canaries.ts";
import { moveFinished } from "#ledger/payout/finish.ts";
import * as balances from "#ledger/payout/lane/balances.ts";
import { type PriorityOrder, setPriority } from "#ledger/payout/lane/priority.ts";
import { insertResolution, findProposedResolution } from "#ledger/payout/manual-resolution.ts";
import { type Decision, recordDecision, hasApprover } from "#ledger/payout/resolution-refusals.ts";
import { recordAction } from "#ledger/payout/search/payout-page.ts";
import {
  makeStatusQueryDue,
  findStatusQuery,
  queryListedReturns,
} from "#ledger/payout/status-queries.ts";
import { insertWaitEnding, findProposedWaitEnding } from "#ledger/payout/wait-endings.ts";
import { bind } from "#ledger/steps/bind.ts";
import type { Database } from "#ledger/store/database.ts";

/** Steps about payouts. */
export const payoutSteps = (database: Database, now: () => Date) => ({
  ...bind([database], {
    findBatch,
    findStatusQuery,
    makeStatusQueryDue,
    queryListedReturns,
    findRequestedCanary,
    recordAction,
    moveFinished,
    insertResolution,
    findProposedResolution,
    insertWaitEnding,
    findProposedWaitEnding,
    hasApprover,
    deleteUnusedPreview,
    findBatchLanes: balances.findBatchLanes,
    findAllLanes: balances.findAllLanes,
    claimBalanceQuery: balances.claimBalanceQuery,
    storeBalance: balances.storeBalance,
  }),
  recordDecision: (decision: Decision) => recordDecision(database, "payout_resolutions", decision),
  recordWaitDecision: (decision: Decision) => recordDecision(database, "wait_endings", decision),
  setCanary: (order: Omit<Parameters<typeof setCanary>[1], "at">) =>
    setCanary(database, { ...order, at: now() }),
  setPriority: (order: Omit<PriorityOrder, "at">) => setPriority(database, { ...order, at: now() }),
});
export type PayoutSteps = ReturnType<typeof payoutSteps>;
