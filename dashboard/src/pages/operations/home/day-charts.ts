import { shortDateText } from "../../../base/dates.ts";
import { atMostText, shortSecondsText } from "../../../components/chart/seconds-text.ts";
import { chartDays } from "./chart-days.ts";
import { messages } from "./figure-messages.ts";
import type { Figures } from "./queries.ts";
import type { Period } from "./search-params.ts";

type Day = Figures["days"][number];

/** One value for each day; null leaves a gap. */
export interface DaySeries {
  readonly label: string;
  readonly values: readonly (number | null)[];
  readonly mark: "line" | "area" | "dashed" | "bars";
  /** The state whose colour it has; none: the accent of the period, and grey for earlier days. */
  readonly tone?: "settled";
}

/** A chart of one card: its headline, and its figures by day. */
export interface DayChartFacts {
  readonly title: string;
  /** The headline figure; null: there are no results. */
  readonly figure: string | null;
  readonly caption: string;
  readonly days: readonly string[];
  /** The first day with results, if the chart leaves out earlier days; null otherwise. */
  readonly since: string | null;
  /** The number of the last days that belong to the headline figure. */
  readonly currentDays: number;
  readonly series: readonly DaySeries[];
  /** Lowest value of the axis. */
  readonly from: number;
  /** The axis has multiples of this unit; null: also decimals. */
  readonly unit: number | null;
  /** Highest possible value; null: there is none. */
  readonly most: number | null;
  readonly format: (value: number) => string;
  /** A short form of the value next to the axis. */
  readonly axisFormat: (value: number) => string;
  /** The chart in a sentence, for readers who cannot see it. */
  readonly summary: string;
}

/** Days of the charts for today and for the last week. */
const CHART_DAYS_MIN = 14;
const WEEK = 7;

type Counts = Pick<Day, "settled" | "declined">;

/** The results of the period. */
function resultsOf({ days, last_7_days: week, period: month }: Figures, period: Period) {
  if (period === WEEK) return week;
  return period === 1 ? (days.at(-1) ?? NO_RESULTS) : month;
}

const NO_RESULTS = { settled: 0, declined: 0, median_seconds: null, p95_seconds: null };

/** The number of days before the period with which it is compared. */
const previousDays = (period: Period): number => Math.max(period, WEEK);

/** The results of the days before the period. */
function previousOf({ days, previous_period: previous }: Figures, period: Period): Counts {
  if (period > WEEK) return previous;
  return days.slice(-period - previousDays(period), -period).reduce(
    (sum, { settled, declined }) => ({
      settled: sum.settled + settled,
      declined: sum.declined + declined,
    }),
    { settled: 0, declined: 0 },
  );
}

/** The days of the charts: those of the period, and before a short one some more. */
const shownDays = ({ days }: Figures, period: Period) =>
  chartDays(days, Math.max(period, CHART_DAYS_MIN));

const ONE_DIGIT = { minimumFractionDigits: 1, maximumFractionDigits: 1 } as const;
const PERCENT = new Intl.NumberFormat(undefined, ONE_DIGIT);
/** More digits close to 100, so that 99.96% is not shown as all. */
const PRECISE = new Intl.NumberFormat(undefined, {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
  roundingMode: "floor",
});
const PRECISE_FROM = 99;
const POINTS = new Intl.NumberFormat(undefined, { ...ONE_DIGIT, signDisplay: "exceptZero" });

/** The share of settled payouts in percent; null without results. */
function rateOf({ settled, declined }: Counts): number | null {
  const all = settled + declined;
  return all === 0 ? null : (settled / all) * 100;
}

/** "97.3%", and "99.88%" close to 100. Only 100 is shown as 100. */
const percentText = (percent: number): string =>
  messages.percent((percent >= PRECISE_FROM && percent < 100 ? PRECISE : PERCENT).format(percent));

const MINUTE_S = 60;
const HOUR_S = 3_600;
/** An axis up to this many units is labelled in the smaller unit. */
const UNITS_MIN = 2;

/** The unit of an axis up to this duration: a second, a minute or an hour. */
const unitOf = (seconds: number): number =>
  [HOUR_S, MINUTE_S].find((unit) => seconds > UNITS_MIN * unit) ?? 1;

/** The day with the lowest or the highest value. */
function extremeDay(days: readonly string[], values: readonly (number | null)[], sign: 1 | -1) {
  const known = values.flatMap((value, at) => (value === null ? [] : [{ value, at }]));
  const [first] = known.toSorted((one, other) => sign * (one.value - other.value));
  return { value: first?.value ?? 0, day: shortDateText(days[first?.at ?? 0] ?? "1970-01-01") };
}

/** The share of the payouts that settled, by day. */
export function successChart(figures: Figures, period: Period): DayChartFacts {
  const texts = messages.success;
  const { shown, since } = shownDays(figures, period);
  const days = shown.map(({ day }) => day);
  const values = shown.map(rateOf);
  const rate = rateOf(resultsOf(figures, period));
  const before = rateOf(previousOf(figures, period));
  const lowest = extremeDay(days, values, 1);
  const highest = extremeDay(days, values, -1);
  return {
    title: texts.title,
    figure: rate === null ? null : percentText(rate),
    caption:
      rate === null
        ? texts.none(messages.period.during(period))
        : before === null
          ? texts.noEarlier(previousDays(period))
          : texts.points(POINTS.format(rate - before), previousDays(period)),
    days,
    since,
    currentDays: period,
    series: [{ label: texts.title, values, mark: "area", tone: "settled" }],
    from: Math.max(0, Math.floor(lowest.value - 1)),
    unit: null,
    most: 100,
    format: percentText,
    axisFormat: percentText,
    summary: texts.summary(percentText(lowest.value), percentText(highest.value), lowest.day),
  };
}

/** The median time to settlement and the time of 95% of the payouts, by day. */
export function settlementChart(figures: Figures, period: Period): DayChartFacts {
  const texts = messages.settlement;
  const { shown, since } = shownDays(figures, period);
  const days = shown.map(({ day }) => day);
  const median = shown.map(({ median_seconds }) => median_seconds);
  const within = shown.map(({ p95_seconds }) => p95_seconds);
  const { median_seconds, p95_seconds } = resultsOf(figures, period);
  const longest = extremeDay(days, median, -1);
  return {
    title: texts.title,
    figure: median_seconds === null ? null : atMostText(median_seconds),
    caption:
      p95_seconds === null
        ? texts.none(messages.period.during(period))
        : texts.p95(atMostText(p95_seconds)),
    days,
    since,
    currentDays: period,
    series: [
      { label: texts.median, values: median, mark: "line" },
      { label: texts.within, values: within, mark: "dashed" },
    ],
    from: 0,
    unit: unitOf(Math.max(...[...median, ...within].map((seconds) => seconds ?? 0))),
    most: null,
    format: atMostText,
    axisFormat: shortSecondsText,
    summary: texts.summary(atMostText(longest.value), longest.day),
  };
}

/** The number of payouts that settled, by day. */
export function settledChart(figures: Figures, period: Period): DayChartFacts {
  const texts = messages.settled;
  const { shown, since } = shownDays(figures, period);
  const days = shown.map(({ day }) => day);
  const values = shown.map(({ settled }) => settled);
  const { settled, declined } = resultsOf(figures, period);
  const before = previousDays(period);
  const earlier = previousOf(figures, period).settled;
  const most = extremeDay(days, values, -1);
  const comparison =
    period === 1
      ? texts.usual(Math.round(earlier / before).toLocaleString(), before)
      : texts.previous(earlier.toLocaleString(), before);
  return {
    title: texts.title,
    figure: settled.toLocaleString(),
    caption: texts.caption(
      declined.toLocaleString(),
      earlier === 0 ? texts.noEarlier(before) : comparison,
    ),
    days,
    since,
    currentDays: period,
    series: [{ label: texts.payouts, values, mark: "bars" }],
    from: 0,
    unit: 1,
    most: null,
    format: (value) => Math.round(value).toLocaleString(),
    axisFormat: (value) => value.toLocaleString(),
    summary: texts.summary(most.value.toLocaleString(), most.day),
  };
}
