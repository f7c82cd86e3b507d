import type { HOME_FIGURES_API } from "#api/operations/home-figures.ts";
import type { AnswerOf } from "#api/app/operation.ts";
import { fundsFor, type LaneAccount } from "#approval/funds.ts";
import type { ServerDeps } from "#views/deps.ts";
import {
  type DailyResult,
  findDailyDurations,
  findDailyResults,
} from "#ledger/payout/lane/daily-results.ts";
import { findLaneNames } from "#ledger/payout/lane/account-names.ts";
import { findAllLanes, findLaneAccounts } from "#ledger/payout/lane/balances.ts";
import { amountOf } from "#money/format.ts";
import { medianAmount } from "#money/median.ts";
import type { Money } from "#money/money.ts";
import { coverTenths, percentile } from "#operations/results.ts";

export type Figures = AnswerOf<(typeof HOME_FIGURES_API)["GET /api/home/figures"]>;

const DAY_MS = 86_400_000;
/** Days of the figures about success, durations and cover. */
const PERIOD_DAYS = 30;
/** Earlier days with which the amounts of today are compared. */
const COMPARED_DAYS = 7;

/**
 * Returns the figures of the home page: results and durations by day, amounts of today by currency,
 * and how long each balance lasts. Days are days in UTC.
 */
export async function homeFigures({ database, clock }: ServerDeps): Promise<Figures> {
  const nowMs = clock.nowMs();
  const [results, durations, accounts, nameOf] = await Promise.all([
    findDailyResults(database, 2 * PERIOD_DAYS),
    findDailyDurations(database, PERIOD_DAYS),
    findAllLanes(database).then((lanes) => findLaneAccounts(database, lanes)),
    findLaneNames(database),
  ]);
  const days = daysUntil(nowMs, PERIOD_DAYS);
  const first = days[0] ?? "";
  const recent = results.filter(({ day }) => day >= first);
  const timesOn = Map.groupBy(durations, ({ day }) => day);
  return {
    at: new Date(nowMs).toISOString(),
    days: days.map((day) => ({
      day,
      ...countsIn(recent.filter((each) => each.day === day)),
      ...timesOf(timesOn.get(day) ?? []),
    })),
    period: { ...countsIn(recent), ...timesOf(durations) },
    previous_period: countsIn(results.filter(({ day }) => day < first)),
    currencies: currenciesOf(recent, days.slice(-COMPARED_DAYS - 1)),
    lanes: accounts.map(([, account]) => ({
      name: nameOf(account.lane),
      ...laneOf(account, recent, nowMs),
    })),
  };
}

/** The last days up to now, oldest first: "2026-11-26". */
const daysUntil = (nowMs: number, count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) =>
    new Date(nowMs - (count - 1 - at) * DAY_MS).toISOString().slice(0, 10),
  );

const countOf = (results: readonly DailyResult[], state: DailyResult["state"]): number =>
  results.reduce((sum, each) => sum + (each.state === state ? each.payouts : 0), 0);

const countsIn = (results: readonly DailyResult[]) => ({
  settled: countOf(results, "settled"),
  declined: countOf(results, "declined"),
});

const timesOf = (counts: Parameters<typeof percentile>[0]) => ({
  median_seconds: percentile(counts, 0.5),
  p95_seconds: percentile(counts, 0.95),
});

/** The settled amounts of today and the previous days, by currency. */
function currenciesOf(
  results: readonly DailyResult[],
  days: readonly string[],
): Figures["currencies"] {
  const shown = results.filter(({ day }) => day >= (days[0] ?? ""));
  const byCurrency = Map.groupBy(shown, ({ sum }) => sum.currency);
  return [...byCurrency].map(([currency, same]) => {
    const unit = same.reduce((digits, { sum }) => Math.max(digits, sum.minorDigits), 0);
    const money = (minor: bigint) => amountOf({ currency, minor, minorDigits: unit });
    const settledOn = (day: string): bigint => minorOn(same, "settled", day, unit);
    const today = days.at(-1) ?? "";
    const counts = countsIn(same.filter(({ day }) => day === today));
    const earlier = days.slice(0, -1).map(settledOn);
    return {
      currency,
      settled: money(settledOn(today)).amount,
      payouts: counts.settled,
      declined: counts.declined,
      returned: money(minorOn(same, "returned", today, unit)).amount,
      usual: money(medianAmount(earlier) ?? 0n).amount,
      days: days.map((day) => ({ day, amount: money(settledOn(day)).amount })),
    };
  });
}

/** The sum of the payouts with this result on the day, in minor units of the number of digits. */
const minorOn = (
  results: readonly DailyResult[],
  state: DailyResult["state"],
  day: string,
  unit: number,
): bigint =>
  results
    .filter((each) => each.state === state && each.day === day)
    .reduce((sum, each) => sum + inUnit(each.sum, unit), 0n);

const inUnit = ({ minor, minorDigits }: Money, unit: number): bigint =>
  minor * 10n ** BigInt(unit - minorDigits);

/** The balance of a lane, its reserved amount, and the days for which the rest lasts. */
function laneOf(
  account: LaneAccount,
  results: readonly DailyResult[],
  nowMs: number,
): Omit<Figures["lanes"][number], "name"> {
  const { lane, balance, reserved, settledSince, reportedAtMs } = account;
  const funds = fundsFor(0n, account, nowMs);
  const free = funds.kind === "unknown" ? null : funds.free;
  const paid = results
    .filter((each) => each.lane === lane && each.state === "settled")
    .reduce((sum, each) => sum + inLaneUnit(each.sum, reserved.minorDigits), 0n);
  return {
    lane,
    currency: reserved.currency,
    balance: free === null || balance === null ? null : amountOf(balance).amount,
    reserved: amountOf(reserved).amount,
    settled_since: settledSince && amountOf(settledSince).amount,
    available: free === null ? null : amountOf(free).amount,
    unknown: funds.kind === "unknown" ? funds.why : null,
    reported_at: reportedAtMs === null ? null : new Date(reportedAtMs).toISOString(),
    cover_tenths: free === null ? null : coverTenths(free.minor, paid, PERIOD_DAYS),
  };
}

/** An amount in the minor unit of its lane today, which may have changed; rounded down. */
const inLaneUnit = ({ minor, minorDigits }: Money, unit: number): bigint =>
  minorDigits > unit
    ? minor / 10n ** BigInt(minorDigits - unit)
    : minor * 10n ** BigInt(unit - minorDigits);
