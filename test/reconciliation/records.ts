import type { LedgerRecord, StatementRecord } from "#reconciliation/records.ts";

/** A settled payout of 100.00 INR, with changes. */
export const payout = (code: string, changes: Partial<LedgerRecord> = {}): LedgerRecord => ({
  code,
  payoutId: 1,
  currency: "INR",
  amount: { minor: 10_000n, minorDigits: 2 },
  fee: null,
  state: "settled",
  arrived: false,
  gatewayNumber: "WD1",
  hasSettledOnDay: true,
  hadSettled: false,
  hasSettledNearby: false,
  wasInProgress: false,
  isListedElsewhere: false,
  isExpected: true,
  isReturnExpected: false,
  ...changes,
});

/** A completed line of 100.00 INR, with changes. */
export const line = (code: string, changes: Partial<StatementRecord> = {}): StatementRecord => ({
  code,
  line: 2,
  gatewayNumber: "WD1",
  currency: "INR",
  amount: { minor: 10_000n, minorDigits: 2 },
  fee: null,
  status: "completed",
  at: null,
  isListedElsewhere: false,
  alsoCompleted: null,
  ...changes,
});

/** The records as an asynchronous source, in pages of two. */
export async function* source<Value>(values: readonly Value[]): AsyncGenerator<readonly Value[]> {
  for (let at = 0; at < values.length; at += 2) yield values.slice(at, at + 2);
}
