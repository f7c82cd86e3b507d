import { findDayMoney } from "#ledger/reconciliation/day-figures.ts";
import { storeCountedDays } from "#ledger/reconciliation/counted-days.ts";
import { findBreak } from "#ledger/reconciliation/breaks.ts";
import { findStatementMapping, insertStatementMapping } from "#ledger/reconciliation/mappings.ts";
import {
  endClosingDay,
  findDayCloses,
  findMoneyToClose,
  findNextDay,
  findOpenBreaks,
  findOpeningBalances,
  hasUnfinishedStatement,
  insertClosingDay,
  insertDayClose,
  insertOpeningBalance,
  lockDays,
  reopenDay,
} from "#ledger/reconciliation/day-closes.ts";
import {
  decideDayProposal,
  findDayProposal,
  insertDayProposal,
} from "#ledger/reconciliation/day-proposals.ts";
import { openSortedSides } from "#ledger/reconciliation/sorted-records.ts";
import { findTransactionsWithCodes } from "#ledger/reconciliation/known-elsewhere.ts";
import {
  findCodeKeys,
  findLateCodes,
  findReplacedCodes,
  findResolvedCodes,
  findStatementsOfCodes,
} from "#ledger/reconciliation/other-days.ts";
import { insertStatementLines, sumStatementLines } from "#ledger/reconciliation/statement-lines.ts";
import {
  decideStatement,
  findStatement,
  findStatementById,
  hasComparedStatement,
  insertStatement,
  lockStatements,
  markStatementCompared,
  replaceStatement,
} from "#ledger/reconciliation/statements.ts";
import { closeGoneBreaks, storeBreaks } from "#ledger/reconciliation/store-breaks.ts";
import {
  assignBreak,
  findBreakResolution,
  insertBreakResolution,
  moveBreak,
  recordBreakEvent,
} from "#ledger/reconciliation/work-breaks.ts";
import { applyBreakAction } from "#ledger/reconciliation/bulk/apply.ts";
import { deleteUnusedBreakPreview } from "#ledger/reconciliation/bulk/break-actions.ts";
import { previewBreakAction } from "#ledger/reconciliation/bulk/preview.ts";
import { type Decision, recordDecision } from "#ledger/payout/resolution-refusals.ts";
import { bind } from "#ledger/steps/bind.ts";
import type { Database } from "#ledger/store/database.ts";

/** Steps about statements and breaks. */
export const reconciliationSteps = (database: Database) => ({
  ...bind([database], {
    findStatementMapping,
    insertStatementMapping,
    findDayMoney,
    findStatement,
    findStatementById,
    hasComparedStatement,
    insertStatement,
    insertStatementLines,
    replaceStatement,
    decideStatement,
    lockStatements,
    findTransactionsWithCodes,
    findCodeKeys,
    findLateCodes,
    findReplacedCodes,
    findResolvedCodes,
    findStatementsOfCodes,
    markStatementCompared,
    sumStatementLines,
    openSortedSides,
    storeBreaks,
    closeGoneBreaks,
    storeCountedDays,
    findBreak,
    assignBreak,
    moveBreak,
    recordBreakEvent,
    insertBreakResolution,
    findBreakResolution,
    previewBreakAction,
    applyBreakAction,
    deleteUnusedBreakPreview,
    findOpeningBalances,
    insertOpeningBalance,
    lockDays,
    findNextDay,
    findDayCloses,
    findMoneyToClose,
    insertClosingDay,
    endClosingDay,
    findOpenBreaks,
    hasUnfinishedStatement,
    insertDayClose,
    reopenDay,
    insertDayProposal,
    decideDayProposal,
    findDayProposal,
  }),
  recordBreakDecision: (decision: Decision) =>
    recordDecision(database, "break_resolutions", decision),
});
export type ReconciliationSteps = ReturnType<typeof reconciliationSteps>;
