import type { LaneReconciliation } from "#api/reconciliation/days.ts";
import { findAllLanes } from "#ledger/payout/lane/balances.ts";
import { findReconciledLanes, type ReconciledLane } from "#ledger/reconciliation/lane-overview.ts";
import { laneParts } from "#payout/payout.ts";
import { decimal } from "#reconciliation/day-figures.ts";
import { daysBetween } from "#reconciliation/statement-time.ts";
import { localAt } from "#schedule/local-time.ts";
import type { ServerDeps } from "#views/deps.ts";

/** Returns how far each lane is reconciled. */
export async function reconciledLanes({
  database,
  clock,
}: Pick<ServerDeps, "database" | "clock">): Promise<LaneReconciliation[]> {
  const lanes = (await findAllLanes(database)).map(({ lane }) => lane);
  const now = new Date(clock.nowMs());
  return (await findReconciledLanes(database, lanes)).map((each) => laneView(each, now));
}

function laneView(lane: ReconciledLane, now: Date): LaneReconciliation {
  const { statement, opening } = lane;
  return {
    lane: lane.lane,
    zone: lane.zone,
    first_day: lane.firstDay,
    last_statement: statement && {
      day: statement.day,
      file_name: statement.fileName,
      is_compared: statement.isCompared,
    },
    opening_statement: opening && {
      day: opening.day,
      file_name: opening.fileName,
      currency: laneParts(lane.lane).currency,
      opening: decimal({ minor: BigInt(opening.minor), minorDigits: opening.minorDigits }),
    },
    last_closed_day: lane.lastClosedDay,
    open_days: openDaysOf(lane, now),
    unresolved_breaks: lane.unresolvedBreaks,
  };
}

/** Number of days that are over and not closed. Null: no day of the lane can be closed yet. */
function openDaysOf({ firstDay, zone, closedDays }: ReconciledLane, now: Date): number | null {
  if (firstDay === null || zone === null) return null;
  const today = localAt(now, zone).date.toString();
  return Math.max(0, daysBetween(firstDay, today) - closedDays);
}
