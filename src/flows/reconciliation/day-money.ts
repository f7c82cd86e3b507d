import type { LedgerSteps } from "#ledger/ledger.ts";
import type { DayClose, OpeningBalance } from "#ledger/reconciliation/day-closes.ts";
import type { LaneDay } from "#ledger/reconciliation/day-figures.ts";
import type { StoredStatement } from "#ledger/reconciliation/statements.ts";
import type { ObservedBalance, OpeningSource } from "#reconciliation/day-close.ts";
import { decimal } from "#reconciliation/day-figures.ts";
import type { ExactAmount } from "#reconciliation/records.ts";
import { businessDay, daysAfter } from "#reconciliation/statement-time.ts";

type Steps = Pick<LedgerSteps["reconciliation"], "findDayCloses">;

/** Returns a business day of a lane in the zone of its opening balance. */
export function laneDay({ lane, zone }: OpeningBalance, day: string): LaneDay {
  const { from, to } = businessDay(day, zone);
  return { lane, day, startsAt: from, endsAt: to };
}

/** The balance with which a day opens. */
export interface Opening {
  readonly amount: ExactAmount;
  readonly from: OpeningSource;
}

/** Returns the opening balance of a day. Null: the day before is not closed. */
export async function openingOf(
  first: OpeningBalance,
  day: string,
  { findDayCloses }: Steps,
): Promise<Opening | null> {
  if (day === first.day) return { amount: first.amount, from: sourceOf(first) };
  const [previous] = await findDayCloses(first.lane, daysAfter(day, -1));
  return previous ? { amount: previous.closing, from: closeSource(previous) } : null;
}

const sourceOf = ({ statementId, actor, reason }: OpeningBalance): OpeningSource =>
  statementId === null
    ? { kind: "person", actor, reason }
    : { kind: "statement", statement: statementId };

const closeSource = ({ version, digest }: DayClose): OpeningSource => ({
  kind: "previous_close",
  version,
  digest,
});

/** A balance at the end of a day, and the statement that shows it. */
export interface Observed {
  readonly amount: ExactAmount;
  readonly shown: ObservedBalance;
}

/**
 * Returns the balance at the end of a day, which only its statement shows. Null: it was not
 * observed.
 */
export function observedOf(statement: StoredStatement | null): Observed | null {
  if (!statement?.balances) return null;
  const amount = { minor: statement.balances.closing, minorDigits: statement.minorDigits };
  return { amount, shown: { statement: statement.id, amount: decimal(amount) } };
}
