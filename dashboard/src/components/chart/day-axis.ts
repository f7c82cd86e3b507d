import type UPlot from "uplot";
import { shortDateText } from "../../base/dates.ts";

/** The values of a chart: their range, and a short form next to the axis. */
export interface Unit {
  /** Returns the range of the axis from the lowest and the highest value. */
  readonly range?: (least: number | null, most: number | null) => [number, number];
  readonly axisText: (value: number) => string;
  /** The steps of the axis; none: decimal steps. */
  readonly steps?: readonly number[];
}

const DAY_S = 86_400;
/** Diameters of points, in pixels. */
const [LINE_POINT, LONE_POINT] = [4, 12];
/** Widest label of a value, in pixels. */
const LABEL_WIDTH = 62;

/**
 * Returns the diameter of a line's points in pixels. A point without a line is large. If several
 * lines have one point each, the later ones are smaller, so that equal values remain visible.
 */
export function pointSize(values: readonly (number | null)[], place: number): number {
  const isLone = values.filter((value) => value !== null).length === 1;
  return isLone ? Math.max(LINE_POINT, LONE_POINT - LINE_POINT * place) : LINE_POINT;
}

/** Returns the places of the values without a neighbour, through which no line goes. */
export const lonePlaces = (values: readonly (number | null | undefined)[]): number[] =>
  values.flatMap((value, at) =>
    value != null && values[at - 1] == null && values[at + 1] == null ? [at] : [],
  );

/** The day in UTC of a moment: "2026-11-26". */
export const utcDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Returns the options of a plot whose times are days. A bar needs room at both ends. */
export const dayAxis = (unit: Unit | undefined) => ({
  dayTexts: (splits: readonly number[]) => splits.map((at) => shortDateText(utcDay(at * 1000))),
  dayOptions: { incrs: [1, 2, 5, 7, 14, 30, 60].map((days) => days * DAY_S), space: 56, size: 28 },
  valueOptions: {
    size: LABEL_WIDTH,
    ...(unit && {
      ...(unit.steps && { incrs: [...unit.steps] }),
      values: (_: UPlot, splits: readonly number[]) => splits.map((value) => unit.axisText(value)),
    }),
  },
  scales: {
    x: {
      range: (_: UPlot, from: number, to: number): [number, number] => [
        from - DAY_S / 2,
        to + DAY_S / 2,
      ],
    },
  },
});
