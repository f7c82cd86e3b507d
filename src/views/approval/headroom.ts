import { type LaneAccount, type Funds, fundsFor, describeFunds } from "#approval/funds.ts";
import { allowedAmount, groupLimits, LIMIT_SCOPES } from "#approval/payout-limits.ts";
import { findLaneAccounts, findAllLanes } from "#ledger/payout/lane/balances.ts";
import { usedAmount } from "#ledger/approval/limit-use.ts";
import { readPayoutLimits } from "#ledger/approval/payout-limits.ts";
import type { Database } from "#ledger/store/database.ts";
import { amountOf } from "#money/format.ts";

/** Returns the balance and reservations of a lane as the API shows them. */
export const accountDocument = (account: LaneAccount, funds: Funds) => ({
  lane: account.lane,
  balance: account.balance && amountOf(account.balance),
  reported_at: account.reportedAtMs === null ? null : new Date(account.reportedAtMs).toISOString(),
  reserved: amountOf(account.reserved),
  settled_since: account.settledSince && amountOf(account.settledSince),
  free: funds.kind === "unknown" ? null : amountOf(funds.free),
  says: describeFunds(account.lane, funds),
});

/**
 * Returns the remaining amount of each payout limit, as shown by the server and by the command line
 * of its machine.
 */
export async function headroomDocument(database: Database, actor: string, at: Date) {
  const { limits, zone } = await readPayoutLimits(database);
  const items = [];
  for (const group of groupLimits(limits)) {
    const { scope, currency, minorDigits } = group;
    const isPerDay = scope === "day" || scope === "uploader_day";
    const person = scope === "uploader_day" ? actor : null;
    const used = isPerDay ? await usedAmount(database, { ...group, zone, at, person }) : null;
    for (const limit of group.limits) {
      const rest = allowedAmount(limit, minorDigits) - (used ?? 0n);
      const money = (minor: bigint) => amountOf({ currency, minor, minorDigits });
      items.push({
        ...limit,
        says: LIMIT_SCOPES[scope].what,
        used: used === null ? null : money(used),
        left: money(rest > 0n ? rest : 0n),
      });
    }
  }
  const accounts = await findLaneAccounts(database, await findAllLanes(database));
  const lanes = accounts.map(([, account]) =>
    accountDocument(account, fundsFor(0n, account, at.getTime())),
  );
  return { zone, items, lanes };
}
