import { appendAudit } from "#ledger/integrity/audit-hash-chain.ts";
import {
  deleteExpired,
  lastRetentionRun,
  readRetention,
  recordRetentionRun,
  writeRetention,
} from "#ledger/integrity/retention.ts";
import { bind } from "#ledger/steps/bind.ts";
import type { Database } from "#ledger/store/database.ts";

/** Steps about the audit log and the retention rules. */
export const integritySteps = (database: Database) =>
  bind([database], {
    appendAudit,
    deleteExpired,
    lastRetentionRun,
    readRetention,
    recordRetentionRun,
    writeRetention,
  });
export type IntegritySteps = ReturnType<typeof integritySteps>;
