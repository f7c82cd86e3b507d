import "uplot/dist/uPlot.min.css";
import { useComputedColorScheme } from "@mantine/core";
import { type RefObject, useEffect, useRef } from "react";
import UPlot from "uplot";
import { type Column, DataTable } from "./data-table.tsx";
import classes from "./chart.module.css";
import { detailMessages } from "./detail-messages.tsx";

/** One line of a chart, with one value for each time; null leaves a gap. */
interface Series {
  readonly label: string;
  readonly values: readonly (number | null)[];
  /** A custom property of the theme, such as "--progress-fill". */
  readonly colour: string;
}

interface ChartProps {
  readonly title: string;
  /** Seconds since 1970. */
  readonly times: readonly number[];
  readonly series: readonly Series[];
  readonly height?: number;
}

/** The axis ends above the highest value by this factor. */
const ROOM = 1.1;

const TIME = new Intl.DateTimeFormat(undefined, { timeStyle: "medium" });
const CLOCK = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
const MINUTES = new Intl.DateTimeFormat(undefined, CLOCK);
const SECONDS = new Intl.DateTimeFormat(undefined, { ...CLOCK, second: "2-digit" });
const DAY = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });

/** Axis labels in 24-hour time. The first label of each day includes the date. */
function timesOf(splits: readonly number[], stepSeconds: number): string[] {
  let before = "";
  return splits.map((seconds) => {
    const at = new Date(seconds * 1000);
    const day = DAY.format(at);
    const isNew = day !== before;
    before = day;
    const clock = (stepSeconds < 60 ? SECONDS : MINUTES).format(at);
    return isNew ? `${clock}\n${day}` : clock;
  });
}

/** A line chart over time, with its figures in a table for readers who cannot see the lines. */
export function Chart({ title, times, series, height = 180 }: ChartProps) {
  const place = usePlot(times, series, height);
  return (
    <figure className={classes.chart}>
      <figcaption>{title}</figcaption>
      <div ref={place} className={classes.plot} aria-hidden />
      <details className={classes.figures}>
        <summary>{detailMessages.chart.figures}</summary>
        <DataTable
          caption={title}
          hideCaption
          columns={columnsOf(series)}
          rows={times.map((time, at) => ({ time, at }))}
          rowKey={({ time }) => String(time)}
        />
      </details>
    </figure>
  );
}

/** Draws the lines into the referenced element, as wide as the element. */
function usePlot(
  times: ChartProps["times"],
  series: ChartProps["series"],
  height: number,
): RefObject<HTMLDivElement | null> {
  const place = useRef<HTMLDivElement>(null);
  const dark = useComputedColorScheme("light") === "dark";
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const axis = {
      font: getComputedStyle(element).font,
      stroke: colourOf(element, "--text-3"),
      ticks: { show: false },
    };
    const grid = { stroke: colourOf(element, "--line"), width: 1 };
    const lines = series.map(({ label, colour }) => ({
      label,
      stroke: colourOf(element, colour),
      width: 2,
      points: { show: false },
      value: (self: UPlot, value: number | null, line: number, at: number | null) =>
        (at === null ? latestOf(self.data[line]) : value)?.toLocaleString() ??
        detailMessages.chart.noData,
    }));
    const plot = new UPlot(
      {
        width: element.clientWidth,
        height,
        series: [
          {
            label: detailMessages.chart.time,
            value: (_, at) => TIME.format((at ?? times.at(-1) ?? 0) * 1000),
          },
          ...lines,
        ],
        axes: [
          {
            ...axis,
            grid: { show: false },
            values: (_, splits, __, ___, step) => timesOf(splits, step),
          },
          { ...axis, grid },
        ],
        scales: { y: { range: (_, __, most) => [0, Math.max(1, (most ?? 0) * ROOM)] } },
        cursor: { drag: { x: false } },
        legend: { markers: { width: 0, fill: (_, at) => lines[at - 1]?.stroke ?? "" } },
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
  }, [times, series, height, dark]);
  return place;
}

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

const columnsOf = (series: readonly Series[]): Column<Moment>[] => [
  {
    key: "time",
    header: detailMessages.chart.time,
    names: true,
    cell: ({ time }) => TIME.format(time * 1000),
  },
  ...series.map(({ label, values }) => ({
    key: label,
    header: label,
    numeric: true,
    cell: ({ at }: Moment) => values[at]?.toLocaleString() ?? "–",
  })),
];
