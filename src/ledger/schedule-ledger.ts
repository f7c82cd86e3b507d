import type { LedgerParts } from "#ledger/ledger-parts.ts";
import * as sendTimes from "#ledger/schedule/send-times.ts";
import type { RescheduleOrder, SendTimeDecision } from "#ledger/schedule/send-times.ts";
import type { DueSendTime } from "#schedule/release.ts";

/** Functions that manage the send times of batches. Each is one commit. */
export interface ScheduleLedger {
  /**
   * Approved batches whose send time has come. Until they are released, none of their payouts can
   * be claimed.
   */
  dueSendTimes(): Promise<DueSendTime[]>;
  /** Returns false if somebody was first or has changed the send time. */
  releaseOrHoldBack(settled: SendTimeDecision): Promise<boolean>;
  /**
   * Returns false if it does not wait for its send time, was held back and is to be rescheduled, or
   * the new time is not later.
   */
  reschedule(change: RescheduleOrder): Promise<boolean>;
}

/** Creates the functions that manage send times. */
export const scheduleLedger = ({ database, now, inTransaction }: LedgerParts): ScheduleLedger => ({
  dueSendTimes: () => sendTimes.findDueSendTimes(database),
  releaseOrHoldBack: (settled) =>
    inTransaction((transaction) =>
      sendTimes.releaseOrHoldBack(transaction, { ...settled, at: now() }),
    ),
  reschedule: (change) =>
    inTransaction((transaction) => sendTimes.reschedule(transaction, { ...change, at: now() })),
});
