import { type Log, messageOf } from "#base/log.ts";
import { mergeDailyResults } from "#ledger/payout/lane/daily-results.ts";
import { findLaneZones, storeReportDays } from "#ledger/payout/lane/report-totals.ts";
import { recountChangedFees, storeFeeDays } from "#ledger/payout/lane/stored-fees.ts";
import { withLock } from "#ledger/store/advisory-locks.ts";
import type { Database } from "#ledger/store/database.ts";

/** Days whose totals are stored at once, so that the next heartbeat is not late. */
const DAYS_AT_ONCE = 3;

/**
 * Returns a function that keeps the totals of finished days up to date. It is called every few
 * seconds, looks for finished days once per hour, and never throws.
 */
export function dailyTotals(
  database: Database,
  log: Pick<Log, "error">,
): (nowMs: number) => Promise<void> {
  let mergedOn = "";
  let storedIn = "";

  const logged = async (work: () => Promise<unknown>, what: string): Promise<boolean> => {
    const problem = await work().then(() => null, messageOf);
    if (problem !== null) log.error({ err: problem }, what);
    return problem === null;
  };

  const storeTotals = async (hour: string): Promise<void> => {
    const left = await withLock(database, "report totals", () => storeNext(database));
    // Null: another process stores them now.
    if (left === false) storedIn = hour;
  };

  return async (nowMs) => {
    const now = new Date(nowMs).toISOString();
    const [day, hour] = [now.slice(0, 10), now.slice(0, 13)];
    if (day !== mergedOn) {
      const merge = () => mergeDailyResults(database);
      if (await logged(merge, "cannot merge the results of earlier days")) mergedOn = day;
    }
    if (hour !== storedIn) {
      await logged(() => storeTotals(hour), "cannot store the totals of finished days");
    }
  };
}

/** Stores the totals of the next days in each zone. Returns whether finished days are left. */
async function storeNext(database: Database): Promise<boolean> {
  const lanes = await findLaneZones(database);
  const zones = new Set(["UTC", ...lanes.map(({ zone }) => zone)]);
  const counts = [];
  for (const zone of zones) {
    counts.push(await storeReportDays(database, zone, DAYS_AT_ONCE));
    counts.push(await storeFeeDays(database, zone, DAYS_AT_ONCE));
  }
  await recountChangedFees(database);
  return counts.some((count) => count === DAYS_AT_ONCE);
}
