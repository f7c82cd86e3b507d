import {
  findAssignments,
  findPayoutVersion,
  hasPayouts,
  setAssignee,
  setSnooze,
} from "#ledger/operations/failure-assignments.ts";
import { bind } from "#ledger/steps/bind.ts";
import type { Database } from "#ledger/store/database.ts";

/** Steps about failure groups and their assignment. */
export const operationsSteps = (database: Database) =>
  bind([database], { findAssignments, findPayoutVersion, hasPayouts, setAssignee, setSnooze });
export type OperationsSteps = ReturnType<typeof operationsSteps>;
