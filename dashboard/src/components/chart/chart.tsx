import "uplot/dist/uPlot.min.css";
import { useComputedColorScheme } from "@mantine/core";
import { type RefObject, useEffect, useRef } from "react";
import UPlot from "uplot";
import { dateText, shortDateText, timeText } from "../../base/dates.ts";
import { localDay } from "../../base/local-time.ts";
import { readerZone } from "../../base/time-zone.ts";
import { type Column, DataTable } from "../data-table.tsx";
import { FIVE_ON_PHONE } from "../folded-rows.tsx";
import classes from "./chart.module.css";
import { dayAxis, lonePlaces, pointSize, type Unit, utcDay } from "./day-axis.ts";
import { messages } from "./messages.ts";

/** One line of a chart, with one value for each time; null leaves a gap. */
interface Series {
  readonly label: string;
  readonly values: readonly (number | null)[];
  /** A custom property of the theme, such as "--progress-fill". */
  readonly colour: string;
  /** The exact values in words; none: the values as numbers. Null: there is no value. */
  readonly texts?: readonly (string | null)[];
  readonly mark?: "line" | "bars";
}

interface ChartProps {
  readonly title: string;
  /** Seconds since 1970. */
  readonly times: readonly number[];
  readonly series: readonly Series[];
  readonly height?: number;
  /** The first of the times, a day such as "2026-12-31", if the chart leaves out empty days. */
  readonly since?: string | null;
  /** Each time is the start of a day in UTC. */
  readonly isByDay?: boolean;
  /** The values of the axis; none: numbers from 0. */
  readonly unit?: Unit;
}

/** Diameter of the point of a value without a neighbour, in pixels. */
const LONE_SIZE = 6;

/** The axis ends above the highest value by this factor. */
const ROOM = 1.1;

/** Axis labels in 24-hour time. The first label of each day includes the date. */
function timesOf(splits: readonly number[], stepSeconds: number): string[] {
  let before = "";
  return splits.map((seconds) => {
    const atMs = seconds * 1000;
    const day = shortDateText(localDay(atMs));
    const isNew = day !== before;
    before = day;
    const clock = timeText(atMs, { seconds: stepSeconds < 60 });
    return isNew ? `${clock}\n${day}` : clock;
  });
}

/** A line chart over time, with its figures in a table for readers who cannot see the lines. */
export function Chart(props: ChartProps) {
  const { title, times, series, since = null, isByDay = false } = props;
  const place = usePlot(props);
  return (
    <figure className={classes.chart}>
      <figcaption>{title}</figcaption>
      <div ref={place} className={classes.plot} aria-hidden />
      {since === null ? null : (
        <p className={classes.since}>{messages.since(shortDateText(since))}</p>
      )}
      <details className={classes.figures}>
        <summary>{messages.figures}</summary>
        <DataTable
          caption={title}
          hideCaption
          columns={columnsOf(series, isByDay)}
          rows={times.map((time, at) => ({ time, at }))}
          rowKey={({ time }) => String(time)}
          fold={FIVE_ON_PHONE}
        />
      </details>
    </figure>
  );
}

/** Draws the lines into the referenced element, as wide as the element. */
function usePlot(props: ChartProps): RefObject<HTMLDivElement | null> {
  const { times, series, height = 180, isByDay = false, unit } = props;
  const place = useRef<HTMLDivElement>(null);
  const dark = useComputedColorScheme("light") === "dark";
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const plot = new UPlot(
      {
        width: element.clientWidth,
        height,
        ...optionsOf({ times, series, isByDay, unit }, element),
      },
      [[...times], ...series.map(({ values }) => [...values])],
      element,
    );
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- `dark` changes the colours
  }, [times, series, height, isByDay, unit, dark]);
  return place;
}

type Plotted = Pick<ChartProps, "times" | "series" | "unit"> & { readonly isByDay: boolean };

/** The options of a plot, except for its size. */
function optionsOf(
  { times, series, isByDay, unit }: Plotted,
  element: HTMLElement,
): Omit<UPlot.Options, "width" | "height"> {
  const axis = {
    font: getComputedStyle(element).font,
    stroke: colourOf(element, "--text-3"),
    ticks: { show: false },
  };
  const days = isByDay ? dayAxis(unit) : null;
  const lines = series.map((each, place) => {
    const size = pointSize(each.values, place);
    return lineOf(each, isByDay ? size : null, element);
  });
  return {
    series: [
      {
        label: isByDay ? messages.day : messages.time,
        value: (_, at) => momentText(at ?? times.at(-1) ?? 0, isByDay),
      },
      ...lines,
    ],
    axes: [
      {
        ...axis,
        grid: { show: false },
        values: (_, splits, __, ___, step) => days?.dayTexts(splits) ?? timesOf(splits, step),
        ...days?.dayOptions,
      },
      { ...axis, grid: { stroke: colourOf(element, "--line"), width: 1 }, ...days?.valueOptions },
    ],
    scales: {
      y: {
        range: (_, least, most) =>
          unit?.range?.(least, most) ?? [0, Math.max(1, (most ?? 0) * ROOM)],
      },
      ...days?.scales,
    },
    tzDate: (seconds) => UPlot.tzDate(new Date(seconds * 1000), isByDay ? "UTC" : readerZone()),
    cursor: { drag: { x: false } },
    legend: { markers: { width: 0, fill: (_, at) => lines[at - 1]?.stroke ?? "" } },
  };
}

/**
 * A line or the bars of a plot, with the text that its legend shows.
 *
 * @param pointsSize diameter of its points. Null: only values without a neighbour have one.
 */
function lineOf(
  { label, colour, texts, mark }: Series,
  pointsSize: number | null,
  element: HTMLElement,
) {
  const stroke = colourOf(element, colour);
  return {
    label,
    stroke,
    width: 2,
    points: {
      show: mark !== "bars",
      size: pointsSize ?? LONE_SIZE,
      fill: stroke,
      ...(pointsSize === null && {
        filter: (self: UPlot, line: number) => lonePlaces(Array.from(self.data[line] ?? [])),
      }),
    },
    ...(mark === "bars" && UPlot.paths.bars
      ? { paths: UPlot.paths.bars({ size: [0.7, 32] }), fill: stroke, width: 0 }
      : {}),
    value: (self: UPlot, value: number | null, line: number, at: number | null) => {
      if (texts) return (at === null ? texts.findLast(isKnown) : texts[at]) ?? messages.noData;
      const known = at === null ? latestOf(self.data[line]) : value;
      return known?.toLocaleString() ?? messages.noData;
    },
  };
}

const isKnown = (text: string | null): text is string => text !== null;

/** "26 Nov 2026" for a day, the time otherwise. */
const momentText = (seconds: number, isByDay: boolean): string =>
  isByDay ? dateText(utcDay(seconds * 1000)) : timeText(seconds * 1000, { seconds: true });

/** A colour of the theme as a canvas takes it. */
function colourOf(element: HTMLElement, property: string): string {
  element.style.color = `var(${property})`;
  const { color } = getComputedStyle(element);
  element.style.color = "";
  return color;
}

/** The last known value of a line, shown while no time is pointed at. */
const latestOf = (values: UPlot.AlignedData[number] | undefined): number | null | undefined =>
  Array.from(values ?? []).findLast((value) => value !== null);

interface Moment {
  /** Seconds since 1970. */
  readonly time: number;
  /** The index of the time. */
  readonly at: number;
}

const columnsOf = (series: readonly Series[], isByDay: boolean): Column<Moment>[] => [
  {
    key: "time",
    header: isByDay ? messages.day : messages.time,
    names: true,
    cell: ({ time }) => momentText(time, isByDay),
  },
  ...series.map(({ label, values, texts }) => ({
    key: label,
    header: label,
    numeric: true,
    cell: ({ at }: Moment) => (texts ? texts[at] : values[at]?.toLocaleString()) ?? "–",
  })),
];
