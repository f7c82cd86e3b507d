import { type ApprovalSteps, approvalSteps } from "#ledger/steps/approval.ts";
import { type CommentSteps, commentSteps } from "#ledger/steps/comment.ts";
import { type DepositSteps, depositSteps } from "#ledger/steps/deposit.ts";
import { type ErasureSteps, erasureSteps } from "#ledger/steps/erasure.ts";
import { type FeedSteps, feedSteps } from "#ledger/steps/feed.ts";
import { type IntakeSteps, intakeSteps } from "#ledger/steps/intake.ts";
import { type IntegritySteps, integritySteps } from "#ledger/steps/integrity.ts";
import { type NotificationSteps, notificationSteps } from "#ledger/steps/notification.ts";
import { type OperationsSteps, operationsSteps } from "#ledger/steps/operations.ts";
import { type PayoutSteps, payoutSteps } from "#ledger/steps/payout.ts";
import { type PeopleSteps, peopleSteps } from "#ledger/steps/people.ts";
import { type ReconciliationSteps, reconciliationSteps } from "#ledger/steps/reconciliation.ts";
import { type ScheduleSteps, scheduleSteps } from "#ledger/steps/schedule.ts";
import { type Database, inTransaction } from "#ledger/store/database.ts";
import type { Sealer } from "#ledger/store/sealing.ts";

/**
 * The functions that flows combine, by folder: `steps.<folder>.<name>` is the function of this name
 * in src/ledger/<folder>. Outside a transaction, each call is one commit.
 */
export interface LedgerSteps {
  readonly intake: IntakeSteps;
  readonly approval: ApprovalSteps;
  readonly payout: PayoutSteps;
  readonly comment: CommentSteps;
  readonly deposit: DepositSteps;
  readonly reconciliation: ReconciliationSteps;
  readonly schedule: ScheduleSteps;
  readonly people: PeopleSteps;
  readonly notification: NotificationSteps;
  readonly operations: OperationsSteps;
  readonly feed: FeedSteps;
  readonly integrity: IntegritySteps;
  readonly erasure: ErasureSteps;
  /**
   * Commits all steps of the work together; an error rolls them back. Within a transaction, the
   * work joins that transaction.
   */
  transaction<T>(work: (transaction: LedgerSteps) => Promise<T>): Promise<T>;
}

/** Creates the steps on a connection, or in a transaction in progress. */
export const ledgerSteps = (database: Database, sealer: Sealer, now: () => Date): LedgerSteps => ({
  intake: intakeSteps(database, sealer),
  approval: approvalSteps(database),
  payout: payoutSteps(database, now),
  comment: commentSteps(database, sealer),
  deposit: depositSteps(database, sealer),
  reconciliation: reconciliationSteps(database),
  schedule: scheduleSteps(database),
  people: peopleSteps(database),
  notification: notificationSteps(database, sealer),
  operations: operationsSteps(database),
  feed: feedSteps(database),
  integrity: integritySteps(database),
  erasure: erasureSteps(database, sealer),
  transaction: (work) =>
    inTransaction(database, (transaction) => work(ledgerSteps(transaction, sealer, now))),
});
