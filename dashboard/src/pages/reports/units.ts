import type { Unit } from "../../components/chart/day-axis.ts";
import { atMostText, UNBOUNDED_SECONDS } from "../../components/chart/seconds-text.ts";
import { messages } from "./messages.ts";

const COMPACT = new Intl.NumberFormat(undefined, { notation: "compact", maximumFractionDigits: 1 });
const ONE_DIGIT = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });
const ROOM = 1.1;

/** Amounts next to an axis. A chart's table has them exactly. */
export const AMOUNTS: Unit = {
  range: (_, most) => [0, most === null || most <= 0 ? 1 : most * ROOM],
  axisText: (value) => COMPACT.format(value),
};

/** Percentages up to 100, from just below the lowest one. */
export const PERCENT: Unit = {
  range: (least) => [Math.max(0, Math.floor((least ?? 1) - 1)), 100],
  axisText: (value) => messages.success.percent(ONE_DIGIT.format(value)),
};

const HOUR_S = 3_600;
const MINUTE_S = 60;

const DAY_S = 24 * HOUR_S;
const STEPS = [1, 2, 5, 10, 20, 30];
/** Round steps of each unit, so that labels are whole. */
const SECONDS_STEPS = [
  ...STEPS,
  ...STEPS.map((minutes) => minutes * MINUTE_S),
  ...[1, 2, 4, 6, 12].map((hours) => hours * HOUR_S),
  ...[1, 2].map((days) => days * DAY_S),
];

/** Durations in seconds. */
export const SECONDS: Unit = {
  steps: SECONDS_STEPS,
  range: (_, most) => [0, Math.max(1, (most ?? 0) * ROOM)],
  axisText: (value) =>
    value >= HOUR_S
      ? messages.axis.hours(ONE_DIGIT.format(value / HOUR_S))
      : value >= MINUTE_S
        ? messages.axis.minutes(ONE_DIGIT.format(value / MINUTE_S))
        : messages.axis.seconds(ONE_DIGIT.format(value)),
};

/** A duration for a chart. Null: it has no upper bound. */
export const boundOf = (seconds: number | null): number | null =>
  seconds === UNBOUNDED_SECONDS ? null : seconds;

/** The upper bound of a duration in words; null without one. */
export const boundText = (seconds: number | null): string | null =>
  seconds === null ? null : atMostText(seconds);
