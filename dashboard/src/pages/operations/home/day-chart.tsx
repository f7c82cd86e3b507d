import { Section } from "../../../components/section.tsx";
import { shortDateText } from "../../../base/dates.ts";
import { DataTable } from "../../../components/data-table.tsx";
import { FIVE_ON_PHONE } from "../../../components/folded-rows.tsx";
import { messages as chartMessages } from "../../../components/chart/messages.ts";
import { axisOf } from "./chart-axis.ts";
import type { DayChartFacts, DaySeries } from "./day-charts.ts";
import classes from "./day-chart.module.css";
import { messages } from "./figure-messages.ts";

const WIDTH = 600;
const HEIGHT = 100;
/** Half of the length of the line for a single day. */
const DASH = 12;

/** A chart of fewer days with results would be an empty plot with a dot. */
const PLOT_DAYS_MIN = 3;

const daysWithResults = ({ days, series }: DayChartFacts): number =>
  days.filter((_, at) => series.some(({ values }) => (values[at] ?? 0) !== 0)).length;

/** A card with a headline figure, a chart by day, and its figures in a table. */
export function DayChart({ chart }: { readonly chart: DayChartFacts }) {
  const { title, figure, caption } = chart;
  const results = daysWithResults(chart);
  return (
    <Section title={title}>
      <div className={classes.headline}>
        {figure === null ? null : <span className={classes.figure}>{figure}</span>}
        <span className={classes.caption}>{caption}</span>
      </div>
      {results === 0 ? null : (
        <>
          {results < PLOT_DAYS_MIN ? null : <Plot chart={chart} />}
          <details className={classes.details}>
            <summary>{chartMessages.figures}</summary>
            <FigureTable chart={chart} />
          </details>
        </>
      )}
    </Section>
  );
}

function Plot({ chart }: { readonly chart: DayChartFacts }) {
  const { days, since, currentDays, series, from, unit, most, axisFormat, summary } = chart;
  const known = series.flatMap(({ values }) => values.map((value) => value ?? from));
  const { ticks, top } = axisOf({ from, highest: Math.max(from + 1, ...known), unit, most });
  const heightOf = (value: number) => HEIGHT - ((value - from) / (top - from)) * HEIGHT;
  return (
    <div className={classes.plot} role="img" aria-label={summary}>
      <div className={classes.area}>
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden>
          {ticks.map((tick) => (
            <line
              key={tick}
              className={classes.grid}
              x1="0"
              x2={WIDTH}
              y1={heightOf(tick)}
              y2={heightOf(tick)}
            />
          ))}
          {series.map((each) => (
            <Shape key={each.label} of={each} currentDays={currentDays} heightOf={heightOf} />
          ))}
        </svg>
        {ticks.map((tick) => (
          <span
            key={tick}
            className={classes.tick}
            style={{ top: `${(heightOf(tick) / HEIGHT) * 100}%` }}
          >
            {axisFormat(tick)}
          </span>
        ))}
      </div>
      <div className={classes.days} aria-hidden>
        <span>{shortDateText(days[0] ?? "1970-01-01")}</span>
        <span>{shortDateText(days[Math.floor((days.length - 1) / 2)] ?? "1970-01-01")}</span>
        <span>{messages.today}</span>
      </div>
      {since === null ? null : (
        <p className={classes.since}>{chartMessages.since(shortDateText(since))}</p>
      )}
    </div>
  );
}

function Shape({
  of: { values, mark, tone },
  currentDays,
  heightOf,
}: {
  readonly of: DaySeries;
  readonly currentDays: number;
  readonly heightOf: (value: number) => number;
}) {
  if (mark === "bars") return <Bars values={values} current={currentDays} heightOf={heightOf} />;
  const step = WIDTH / Math.max(1, values.length - 1);
  const runs = runsOf(values).map((run) =>
    run.map(({ at, value }) => ({ x: at * step, y: heightOf(value) })),
  );
  return (
    <g data-tone={tone}>
      {mark === "area"
        ? runs.map((run) => (
            <path
              key={run[0]?.x}
              className={classes.fill}
              d={`M${run[0]?.x},${HEIGHT}${lineTo(run)}L${run.at(-1)?.x},${HEIGHT}Z`}
            />
          ))
        : null}
      {runs.map((run) => (
        <path
          key={run[0]?.x}
          className={mark === "dashed" ? classes.dashed : classes.line}
          // A single day is a short line, because a path of one point is invisible.
          d={run.length === 1 ? dashAt(run[0]) : lineTo(run).replace("L", "M")}
        />
      ))}
    </g>
  );
}

interface Point {
  readonly x: number;
  readonly y: number;
}

const lineTo = (run: readonly Point[]): string => run.map(({ x, y }) => `L${x},${y}`).join("");

const dashAt = (point: Point | undefined): string =>
  point
    ? `M${Math.max(0, point.x - DASH)},${point.y}L${Math.min(WIDTH, point.x + DASH)},${point.y}`
    : "";

/** The known values, split at the gaps. */
function runsOf(values: readonly (number | null)[]) {
  const runs: { at: number; value: number }[][] = [];
  for (const [at, value] of values.entries()) {
    if (value === null) continue;
    const last = runs.at(-1);
    if (last?.at(-1)?.at === at - 1) last.push({ at, value });
    else runs.push([{ at, value }]);
  }
  return runs;
}

/** The days of the period have the accent, earlier days are grey. */
function Bars({
  values,
  current,
  heightOf,
}: {
  readonly values: readonly (number | null)[];
  readonly current: number;
  readonly heightOf: (value: number) => number;
}) {
  const width = WIDTH / values.length;
  return values.map((value, at) => {
    const y = heightOf(value ?? 0);
    return (
      <rect
        key={at}
        className={at >= values.length - current ? classes.current : classes.bar}
        x={at * width + width * 0.14}
        y={y}
        width={width * 0.72}
        height={HEIGHT - y}
      />
    );
  });
}

const FigureTable = ({
  chart: { title, days, series, format },
}: {
  readonly chart: DayChartFacts;
}) => (
  <DataTable
    caption={title}
    hideCaption
    rows={days
      .map((day, at) => ({ day, at }))
      .filter(({ at }) => series.some(({ values }) => (values[at] ?? null) !== null))
      .toReversed()}
    rowKey={({ day }) => day}
    fold={FIVE_ON_PHONE}
    columns={[
      { key: "day", header: messages.day, names: true, cell: ({ day }) => shortDateText(day) },
      ...series.map(({ label, values }) => ({
        key: label,
        header: label,
        numeric: true,
        cell: ({ at }: { readonly at: number }) => {
          const value = values[at] ?? null;
          return value === null ? "–" : format(value);
        },
      })),
    ]}
  />
);
