import { appendAudit } from "#ledger/integrity/audit-hash-chain.ts";
import { bind } from "#ledger/steps/bind.ts";
import type { Database } from "#ledger/store/database.ts";

/** Steps about the audit log. */
export const integritySteps = (database: Database) => bind([database], { appendAudit });
export type IntegritySteps = ReturnType<typeof integritySteps>;
