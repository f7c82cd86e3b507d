import type { DayToCompare } from "#ledger/reconciliation/sorted-records.ts";
import type { LedgerRecord, StatementRecord } from "#reconciliation/records.ts";

/**
 * Collects the payouts of a comparison that count on its day although payrun recorded their
 * settlement on the day before or after. A line of the statement must prove that: it agrees with
 * the payout in everything, and its time is within the day. A line without a time proves it if no
 * other statement of the lane lists the payout.
 */
export class CountedDays {
  readonly #day: Pick<DayToCompare, "startsAt" | "endsAt">;
  readonly found: number[] = [];

  constructor(day: Pick<DayToCompare, "startsAt" | "endsAt">) {
    this.#day = day;
  }

  /** Looks at a payout that the statement lists as completed, without any break. */
  add(record: LedgerRecord, { at, isListedElsewhere }: StatementRecord): void {
    if (!record.hasSettledNearby) return;
    const { startsAt, endsAt } = this.#day;
    const isOfDay = at === null ? !isListedElsewhere : at >= startsAt && at < endsAt;
    if (isOfDay) this.found.push(record.payoutId);
  }
}
