import type { HOME_FIGURES_API } from "#api/operations/home-figures.ts";
import type { AnswerOf } from "#api/app/operation.ts";
import { fundsFor, type LaneAccount } from "#approval/funds.ts";
import type { ServerDeps } from "#views/deps.ts";
import { type DailyResult, findDailyResults } from "#ledger/payout/lane/daily-results.ts";
import { findLaneNames } from "#ledger/payout/lane/account-names.ts";
import { findReportTotals, type ReportTotal } from "#ledger/payout/lane/report-totals.ts";
import { findAllLanes, findLaneAccounts } from "#ledger/payout/lane/balances.ts";
import { amountOf } from "#money/format.ts";
import { medianAmount } from "#money/median.ts";
import type { Money } from "#money/money.ts";
import { coverTenths, percentile } from "#operations/results.ts";
import { businessDay, daysAfter } from "#reconciliation/statement-time.ts";
import { type Frame, frameOf } from "#views/operations/reports.ts";

export type Figures = AnswerOf<(typeof HOME_FIGURES_API)["GET /api/home/figures"]>;

/** Days of the figures about success, durations and cover. */
const PERIOD_DAYS = 30;
const WEEK_DAYS = 7;
/** Earlier days with which the amounts of today are compared. */
const COMPARED_DAYS = 7;

/**
 * Returns the figures of the home page: results and durations by day, amounts of today by currency,
 * and how long each balance lasts. Days are in the zone that all lanes have in common, or else UTC.
 */
export async function homeFigures(deps: ServerDeps): Promise<Figures> {
  const { database, clock } = deps;
  const nowMs = clock.nowMs();
  const frame = await frameOf({ days: 2 * PERIOD_DAYS }, deps);
  const { to: today, zone } = frame;
  const [totals, results, accounts, nameOf] = await Promise.all([
    totalsOf(frame, deps),
    findDailyResults(database, PERIOD_DAYS),
    findAllLanes(database).then((lanes) => findLaneAccounts(database, lanes)),
    findLaneNames(database),
  ]);
  const days = Array.from({ length: PERIOD_DAYS }, (_, at) =>
    daysAfter(today, at + 1 - PERIOD_DAYS),
  );
  const first = days[0] ?? "";
  const recent = totals.filter(({ day }) => day >= first);
  const byDay = Map.groupBy(recent, ({ day }) => day);
  return {
    at: new Date(nowMs).toISOString(),
    zone,
    today_from: businessDay(today, zone).from.toISOString(),
    days: days.map((day) => ({ day, ...resultsOf(byDay.get(day) ?? []) })),
    period: resultsOf(recent),
    previous_period: countsIn(totals.filter(({ day }) => day < first)),
    last_7_days: resultsOf(recent.filter(({ day }) => day >= (days.at(-WEEK_DAYS) ?? ""))),
    currencies: currenciesOf(recent, days.slice(-COMPARED_DAYS - 1)),
    lanes: accounts.map(([, account]) => ({
      name: nameOf(account.lane),
      ...laneOf(account, results, nowMs),
    })),
  };
}

/**
 * A count that took long is used again for a while, so that many open home pages do not keep the
 * database busy on a day with a million results.
 */
const LONG_MS = 500;
const USED_AGAIN_MS = 10_000;

interface KnownTotals {
  readonly frame: string;
  readonly untilMs: number;
  readonly totals: Promise<readonly ReportTotal[]>;
}

const known = new WeakMap<ServerDeps["database"], KnownTotals>();

/** Returns the totals of the period, from the memory if they have just been counted. */
async function totalsOf(
  { from, to, zone }: Frame,
  { database }: ServerDeps,
): Promise<readonly ReportTotal[]> {
  const frame = `${from} ${to} ${zone}`;
  const latest = known.get(database);
  const startedMs = performance.now();
  if (latest?.frame === frame && startedMs < latest.untilMs) return latest.totals;
  const totals = findReportTotals(database, { from, to, zone });
  known.set(database, { frame, untilMs: Number.POSITIVE_INFINITY, totals });
  const pauseUntil = (untilMs: number): unknown => known.set(database, { frame, untilMs, totals });
  try {
    await totals;
    const endedMs = performance.now();
    pauseUntil(endedMs - startedMs < LONG_MS ? endedMs : endedMs + USED_AGAIN_MS);
  } catch (error) {
    known.delete(database);
    throw error;
  }
  return totals;
}

const countOf = (results: readonly ReportTotal[], state: ReportTotal["state"]): number =>
  results.reduce((sum, each) => sum + (each.state === state ? each.payouts : 0), 0);

const countsIn = (results: readonly ReportTotal[]) => ({
  settled: countOf(results, "settled"),
  declined: countOf(results, "declined"),
});

/** The counts, and the times from approval to settlement. */
function resultsOf(results: readonly ReportTotal[]) {
  const settled = results.filter(({ state }) => state === "settled");
  return {
    ...countsIn(results),
    median_seconds: percentile(settled, 0.5),
    p95_seconds: percentile(settled, 0.95),
  };
}

/** The settled amounts of today and the previous days, by currency. */
function currenciesOf(
  results: readonly ReportTotal[],
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
  results: readonly ReportTotal[],
  state: ReportTotal["state"],
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
    last_balance: balance && amountOf(balance).amount,
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
