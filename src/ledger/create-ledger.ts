import { intakeLedger } from "#ledger/intake-ledger.ts";
import { withAuditSeal } from "#ledger/integrity/audit-seal.ts";
import { integrityLedger } from "#ledger/integrity-ledger.ts";
import { type LedgerOptions, LedgerParts } from "#ledger/ledger-parts.ts";
import type { Ledger } from "#ledger/ledger.ts";
import { payoutLedger } from "#ledger/payout-ledger.ts";
import { scheduleLedger } from "#ledger/schedule-ledger.ts";
import { ledgerSteps } from "#ledger/steps/steps.ts";
import { withLock } from "#ledger/store/advisory-locks.ts";
import type { Database } from "#ledger/store/database.ts";
import type { Sealer } from "#ledger/store/sealing.ts";
import type { Clock } from "#base/clock.ts";

/** Creates the ledger in PostgreSQL. */
export function createLedger(
  given: Database,
  sealer: Sealer,
  clock: Clock,
  options: LedgerOptions = {},
): Ledger {
  const database = withAuditSeal(given, sealer);
  const parts = new LedgerParts(database, sealer, clock, options);
  const steps = ledgerSteps(database, sealer, parts.now);
  return {
    ...steps,
    intake: { ...steps.intake, ...intakeLedger(parts) },
    payout: { ...steps.payout, ...payoutLedger(parts) },
    schedule: { ...steps.schedule, ...scheduleLedger(parts) },
    integrity: { ...steps.integrity, ...integrityLedger(parts) },
    withLock: (lock, work) => withLock(database, lock, work),
  };
}
