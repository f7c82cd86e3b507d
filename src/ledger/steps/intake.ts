import {
  lockBatch,
  describeBatch,
  recordEditor,
  markSentForApproval,
  recordReuploader,
  readDescription,
} from "#ledger/intake/batch-description.ts";
import { storedAsNumbers } from "#ledger/intake/batch-findings.ts";
import { findExactDuplicates } from "#ledger/intake/exact-duplicates.ts";
import { rejectedRows, reportRows } from "#ledger/intake/batch-rows.ts";
import { correctBatch } from "#ledger/intake/correct.ts";
import { findLeftOutRows } from "#ledger/intake/left-out/left-out-rows.ts";
import { leaveRowsOut } from "#ledger/intake/leaving/leave-rows-out.ts";
import { recallColumns, rememberColumns } from "#ledger/intake/column-mappings.ts";
import { findEditableRows, findRowWarnings } from "#ledger/intake/warned-rows.ts";
import { addSinglePayout, findSinglePayout } from "#ledger/intake/single/single-payouts.ts";
import { bind } from "#ledger/steps/bind.ts";
import type { Database } from "#ledger/store/database.ts";
import type { Sealer } from "#ledger/store/sealing.ts";

/** Steps about batches before their approval. */
export const intakeSteps = (database: Database, sealer: Sealer) => ({
  ...bind([database], {
    lockBatch,
    describeBatch,
    recordEditor,
    storedAsNumbers,
    markSentForApproval,
    recordReuploader,
    readDescription,
    findSinglePayout,
    findExactDuplicates,
    recallColumns,
    rememberColumns,
  }),
  ...bind([database, sealer], {
    addSinglePayout,
    correctBatch,
    findEditableRows,
    findLeftOutRows,
    findRowWarnings,
    leaveRowsOut,
    rejectedRows,
    reportRows,
  }),
});
export type IntakeSteps = ReturnType<typeof intakeSteps>;
