import type {
  BreakFilter,
  BreaksReport,
  FeesReport,
  ReportFilter,
  ResultsReport,
  TimesReport,
} from "#api/operations/reports.ts";
import { Problem } from "#api/app/problems.ts";
import { findDailyFees } from "#ledger/payout/lane/daily-fees.ts";
import {
  findLaneZones,
  findReportTotals,
  type LaneZone,
  type ReportFilter as LedgerFilter,
  type ReportTotal,
} from "#ledger/payout/lane/report-totals.ts";
import { countBreakAges } from "#ledger/reconciliation/break-ages.ts";
import { formatMoney } from "#money/format.ts";
import { exactTotal, type Money } from "#money/money.ts";
import { daysOfPeriod } from "#operations/report-period.ts";
import { percentile } from "#operations/results.ts";
import { laneParts } from "#payout/payout.ts";
import { BREAK_CLASSES } from "#reconciliation/break-classes.ts";
import { businessDay, daysAfter, isDay } from "#reconciliation/statement-time.ts";
import { localAt } from "#schedule/local-time.ts";
import type { ServerDeps } from "#views/deps.ts";

type Deps = Pick<ServerDeps, "database" | "clock">;

const DAYS_DEFAULT = 30;

/** The period of a report, the zone of its days, and the possible values of its filters. */
export interface Frame extends LedgerFilter {
  /** The zones in which the days may be. */
  readonly zones: readonly string[];
  readonly lanes: readonly string[];
}

const matches = (
  { lane, currency }: Pick<ReportFilter, "lane" | "currency">,
  row: { readonly lane: string },
): boolean =>
  (lane === undefined || row.lane === lane) &&
  (currency === undefined || laneParts(row.lane).currency === currency);

/** Returns the period of a report, and the zone of its days. */
export async function frameOf(filter: ReportFilter, { database, clock }: Deps): Promise<Frame> {
  const lanes = await findLaneZones(database);
  const zones = [...new Set(["UTC", ...lanes.map(({ zone }) => zone)])].toSorted();
  const zone = filter.zone ?? commonZone(lanes.filter((each) => matches(filter, each)));
  if (!zones.includes(zone)) {
    throw invalid("zone", `is not the time zone of a lane. Use one of: ${zones.join(", ")}`);
  }
  const today = localAt(new Date(clock.nowMs()), zone).date.toString();
  const { days = DAYS_DEFAULT, period } = filter;
  const named = period === undefined ? null : daysOfPeriod(period, today);
  const { from = daysAfter(today, 1 - days), to = today } = named ?? filter;
  for (const [name, day] of Object.entries({ from, to })) {
    if (!isDay(day)) throw invalid(name, "is not a date from 1970 to 2999");
  }
  const { lane, currency } = filter;
  return { from, to, zone, zones, lanes: lanes.map((each) => each.lane), lane, currency };
}

/** The zone that all lanes have in common, or else UTC. */
function commonZone(lanes: readonly LaneZone[]): string {
  const [first, ...others] = new Set(lanes.map(({ zone }) => zone));
  return first === undefined || others.length > 0 ? "UTC" : first;
}

const invalid = (name: string, message: string): Problem =>
  new Problem("invalid_request", { places: [{ place: `query.${name}`, message }] });

/** Returns the shown part of a period. */
const shownFrame = ({ from, to, zone, zones, lanes }: Frame) => ({
  from,
  to,
  starts_at: businessDay(from, zone).from.toISOString(),
  ends_at: businessDay(to, zone).to.toISOString(),
  zone,
  zones: [...zones],
  lanes: [...lanes],
});

/**
 * Applies `total` to the rows of each day and currency, and to those of each currency in the whole
 * period.
 */
function byDayAndCurrency<Row, Figures>(
  rows: readonly Row[],
  keyOf: (row: Row) => { readonly day: string; readonly currency: string },
  total: (currency: string, rows: readonly Row[]) => Figures,
) {
  const currencies = Map.groupBy(rows, (row) => keyOf(row).currency);
  const sorted = [...currencies].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const items = sorted.flatMap(([currency, same]) =>
    [...Map.groupBy(same, (row) => keyOf(row).day)].map(([day, ofDay]) => ({
      day,
      ...total(currency, ofDay),
    })),
  );
  return {
    items: items.toSorted((one, other) => (one.day < other.day ? -1 : one.day > other.day ? 1 : 0)),
    period: sorted.map(([currency, same]) => total(currency, same)),
  };
}

const keyOfTotal = ({ day, sum: { currency } }: ReportTotal) => ({ day, currency });

/** Returns an exact total as text; zero in the digits of `like` for none. */
const totalText = (amounts: readonly Money[], like: Money | undefined): string => {
  const sum = exactTotal(amounts);
  return sum ? formatMoney(sum) : like ? formatMoney({ ...like, minor: 0n }) : "0";
};

/** Returns settled ÷ (settled + declined) in percent with two decimals, rounded down. */
function successPercent(settled: number, declined: number): string | null {
  const all = settled + declined;
  if (all === 0) return null;
  const hundredths = (BigInt(settled) * 10_000n) / BigInt(all);
  return formatMoney({ currency: "", minor: hundredths, minorDigits: 2 });
}

function resultFigures(currency: string, rows: readonly ReportTotal[]) {
  const figuresOf = (state: ReportTotal["state"]) => {
    const found = rows.filter((row) => row.state === state);
    return {
      count: found.reduce((sum, { payouts }) => sum + payouts, 0),
      amount: totalText(
        found.map(({ sum }) => sum),
        rows[0]?.sum,
      ),
    };
  };
  const [settled, declined, returned] = [
    figuresOf("settled"),
    figuresOf("declined"),
    figuresOf("returned"),
  ];
  return {
    currency,
    settled: settled.count,
    settled_amount: settled.amount,
    declined: declined.count,
    declined_amount: declined.amount,
    returned: returned.count,
    returned_amount: returned.amount,
    success_percent: successPercent(settled.count, declined.count),
  };
}

/** Returns settled, declined and returned payouts by day and currency. */
export async function resultsReport(filter: ReportFilter, deps: Deps): Promise<ResultsReport> {
  const frame = await frameOf(filter, deps);
  const totals = await findReportTotals(deps.database, frame);
  return { ...shownFrame(frame), ...byDayAndCurrency(totals, keyOfTotal, resultFigures) };
}

/** Returns the time from approval to settlement by day and currency. */
export async function timesReport(filter: ReportFilter, deps: Deps): Promise<TimesReport> {
  const frame = await frameOf(filter, deps);
  const totals = await findReportTotals(deps.database, frame);
  const settled = totals.filter(({ state }) => state === "settled");
  const figures = byDayAndCurrency(settled, keyOfTotal, (currency, rows) => ({
    currency,
    payouts: rows.reduce((sum, { payouts }) => sum + payouts, 0),
    median_seconds: percentile(rows, 0.5),
    p95_seconds: percentile(rows, 0.95),
  }));
  return { ...shownFrame(frame), ...figures };
}

/** Returns the reported fees by day of settlement and currency. */
export async function feesReport(filter: ReportFilter, deps: Deps): Promise<FeesReport> {
  const frame = await frameOf(filter, deps);
  const fees = await findDailyFees(deps.database, frame);
  const shown = fees.filter((row) => matches(filter, row));
  const figures = byDayAndCurrency(
    shown,
    (row) => row,
    (currency, rows) => ({
      currency,
      amount: totalText(
        rows.flatMap(({ fee }) => fee ?? []),
        undefined,
      ),
      payouts: rows.reduce((sum, { payouts }) => sum + payouts, 0),
      without_fee: rows.reduce((sum, { withoutFee }) => sum + withoutFee, 0),
    }),
  );
  return { ...shownFrame(frame), ...figures };
}

/** Returns the unresolved breaks by class and age. */
export async function breaksReport(
  { lane = null, currency = null }: { [Name in keyof BreakFilter]: BreakFilter[Name] | null },
  { database, clock }: Deps,
): Promise<BreaksReport> {
  const ages = await countBreakAges(database, { lane, currency });
  return {
    at: new Date(clock.nowMs()).toISOString(),
    items: ages.map((each) => ({
      class: each.class,
      class_text: BREAK_CLASSES[each.class],
      count: each.count,
      within_1_day: each.within1Day,
      within_7_days: each.within7Days,
      within_30_days: each.within30Days,
      older: each.older,
      oldest_at: each.oldestAt.toISOString(),
    })),
    count: ages.reduce((sum, { count }) => sum + count, 0),
  };
}
