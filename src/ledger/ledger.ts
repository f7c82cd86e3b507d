import type { OpenAttempt } from "#ledger/payout/attempts.ts";
import type { Batch } from "#ledger/payout/batches.ts";
import type { Claim } from "#ledger/payout/claim-statement.ts";
import type { Canary } from "#ledger/payout/canaries.ts";
import type { Freeze } from "#ledger/integrity/freeze.ts";
import type { IntakeLedger } from "#ledger/intake-ledger.ts";
import type { IntegrityLedger } from "#ledger/integrity-ledger.ts";
import type { LaneProgress } from "#ledger/integrity/restore/unqueried.ts";
import type { LanePause } from "#ledger/payout/lane/lane-pauses.ts";
import type { LimitedLane } from "#ledger/payout/lane/rate-limit.ts";
import type { StoppedLane } from "#ledger/payout/lane/lanes.ts";
import type { Move } from "#ledger/payout/transitions.ts";
import type { PayoutLedger } from "#ledger/payout-ledger.ts";
import type { Progress } from "#ledger/payout/progress.ts";
import type { StatusQuery } from "#ledger/payout/status-queries.ts";
import type { ScheduleLedger } from "#ledger/schedule-ledger.ts";
import type { LedgerSteps } from "#ledger/steps/steps.ts";
import type { WorkingBatch } from "#ledger/payout/working-batches.ts";

export type {
  Batch,
  Canary,
  Claim,
  Freeze,
  LaneProgress,
  LanePause,
  Move,
  OpenAttempt,
  LimitedLane,
  Progress,
  StatusQuery,
  StoppedLane,
  WorkingBatch,
};

/**
 * The functions that paying needs, by folder. Every function is one commit. The simulation
 * implements them in memory.
 */
export interface PayingLedger {
  readonly intake: IntakeLedger;
  readonly payout: PayoutLedger;
  readonly schedule: ScheduleLedger;
  readonly integrity: IntegrityLedger;
  /** Runs `work` unless another process runs it; then returns null. */
  withLock<T>(lock: string, work: () => Promise<T>): Promise<T | null>;
}

/** The ledger as the flows see it: what paying needs, and the steps that flows combine. */
export type Ledger = PayingLedger & LedgerSteps;
export type { LedgerSteps };
