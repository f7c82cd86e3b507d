import { shortDateText } from "../../../base/dates.ts";
import { secondsText, shortSecondsText } from "../../../components/chart/seconds-text.ts";
import { messages } from "./figure-messages.ts";
import type { Figures } from "./queries.ts";

type Day = Figures["days"][number];

/** One value for each day; null leaves a gap. */
export interface DaySeries {
  readonly label: string;
  readonly values: readonly (number | null)[];
  readonly mark: "line" | "area" | "dashed" | "bars";
  /** The state whose colour it has; none: the accent of today, and grey for earlier days. */
  readonly tone?: "settled";
}

/** A chart of one card: its headline, and its figures by day. */
export interface DayChartFacts {
  readonly title: string;
  readonly period: string;
  /** The headline figure; null: there are no results. */
  readonly figure: string | null;
  readonly caption: string;
  readonly days: readonly string[];
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

const PERIOD_DAYS = 30;
const BARS = 14;

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
function rateOf({ settled, declined }: Pick<Day, "settled" | "declined">): number | null {
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

const daysOf = ({ days }: Figures): readonly string[] => days.map(({ day }) => day);

/** The share of the payouts that settled, by day. */
export function successChart(figures: Figures): DayChartFacts {
  const texts = messages.success;
  const days = daysOf(figures);
  const values = figures.days.map(rateOf);
  const rate = rateOf(figures.period);
  const before = rateOf(figures.previous_period);
  const lowest = extremeDay(days, values, 1);
  const highest = extremeDay(days, values, -1);
  return {
    title: texts.title,
    period: messages.days(PERIOD_DAYS),
    figure: rate === null ? null : percentText(rate),
    caption:
      rate === null
        ? texts.none
        : before === null
          ? texts.noEarlier
          : texts.points(POINTS.format(rate - before)),
    days,
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
export function settlementChart(figures: Figures): DayChartFacts {
  const texts = messages.settlement;
  const days = daysOf(figures);
  const median = figures.days.map(({ median_seconds }) => median_seconds);
  const within = figures.days.map(({ p95_seconds }) => p95_seconds);
  const { median_seconds, p95_seconds } = figures.period;
  const longest = extremeDay(days, median, -1);
  return {
    title: texts.title,
    period: messages.days(PERIOD_DAYS),
    figure: median_seconds === null ? null : secondsText(median_seconds),
    caption: p95_seconds === null ? texts.none : texts.p95(secondsText(p95_seconds)),
    days,
    series: [
      { label: texts.median, values: median, mark: "line" },
      { label: texts.within, values: within, mark: "dashed" },
    ],
    from: 0,
    unit: unitOf(Math.max(...[...median, ...within].map((seconds) => seconds ?? 0))),
    most: null,
    format: secondsText,
    axisFormat: shortSecondsText,
    summary: texts.summary(secondsText(longest.value), longest.day),
  };
}

/** The number of payouts that settled, by day. */
export function settledChart(figures: Figures): DayChartFacts {
  const texts = messages.settled;
  const shown = figures.days.slice(-BARS);
  const days = shown.map(({ day }) => day);
  const values = shown.map(({ settled }) => settled);
  const today = values.at(-1) ?? 0;
  const earlier = values.slice(0, -1);
  const usual = earlier.reduce((sum, count) => sum + count, 0) / Math.max(1, earlier.length);
  const most = extremeDay(days, values, -1);
  return {
    title: texts.title,
    period: messages.days(BARS),
    figure: today.toLocaleString(),
    caption:
      usual === 0
        ? texts.first(earlier.length)
        : texts.usual(Math.round(usual).toLocaleString(), earlier.length),
    days,
    series: [{ label: texts.payouts, values, mark: "bars" }],
    from: 0,
    unit: 1,
    most: null,
    format: (value) => Math.round(value).toLocaleString(),
    axisFormat: (value) => value.toLocaleString(),
    summary: texts.summary(most.value.toLocaleString(), most.day),
  };
}
