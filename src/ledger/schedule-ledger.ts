import type { LedgerParts } from "#ledger/ledger-parts.ts";
import * as sendTimes from "#ledger/schedule/send-times.ts";
import type { ChangedSending, SettledSending } from "#ledger/schedule/send-times.ts";
import type { DueSending } from "#schedule/release.ts";

/** Functions that manage the send times of batches. Each is one commit. */
export interface ScheduleLedger {
  /**
   * Approved batches whose send time has come. Until they are released, none of their payouts can
   * be claimed.
   */
  dueSendings(): Promise<DueSending[]>;
  /** Returns false if somebody was first or has changed the send time. */
  settleSending(settled: SettledSending): Promise<boolean>;
  /**
   * Returns false if it does not wait for its send time, was held back and is to be rescheduled, or
   * the new time is not later.
   */
  changeSending(change: ChangedSending): Promise<boolean>;
}

/** Creates the functions that manage send times. */
export const scheduleLedger = ({ database, now, inTransaction }: LedgerParts): ScheduleLedger => ({
  dueSendings: () => sendTimes.dueSendings(database),
  settleSending: (settled) =>
    inTransaction((transaction) => sendTimes.settleSending(transaction, { ...settled, at: now() })),
  changeSending: (change) =>
    inTransaction((transaction) => sendTimes.changeSending(transaction, { ...change, at: now() })),
});
