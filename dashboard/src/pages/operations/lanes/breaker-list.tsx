import { Text } from "@mantine/core";
import { CircleCheck, PauseCircle, TriangleAlert } from "lucide-react";
import { type Column, DataTable } from "../../../components/data-table.tsx";
import { Section } from "../../../components/section.tsx";
import { Timestamp } from "../../../components/timestamp.tsx";
import shared from "../shared/operations.module.css";
import { countText, type LaneView } from "../shared/operations-view.ts";
import classes from "./breaker-list.module.css";
import { messages as texts } from "./breaker-messages.tsx";

type Reading = LaneView["breaker_readings"][number];
type Code = Exclude<Reading["breaker"], "canary">;

/** One line of the list: a circuit breaker, and the lane in which it is open or nearest to it. */
interface Line {
  readonly code: Code;
  readonly lane: LaneView | null;
  readonly reading: Reading | null;
  readonly isOpen: boolean;
  /** When it last opened, in this lane if it is open, in any lane otherwise. Null: not known. */
  readonly opened: { readonly at: string; readonly lane: string } | null;
}

/** The share of its threshold from which a circuit breaker is emphasised. */
const NEAR = 0.5;

/**
 * Each circuit breaker with its present value, open ones first and one line for each open lane. If
 * all are closed, the list is folded.
 */
export function BreakerList({ lanes }: { readonly lanes: readonly LaneView[] }) {
  const codes = Object.keys(texts.names) as Code[];
  const lines = codes
    .flatMap((code) => linesOf(code, lanes))
    .toSorted((one, other) => Number(other.isOpen) - Number(one.isOpen));
  const isQuiet = lines.every(({ isOpen }) => !isOpen);
  const near = lines.filter(({ reading }) => shareOf(reading) >= NEAR).length;
  return (
    <Section
      title={texts.title}
      isFlush
      folds={isQuiet}
      badge={
        isQuiet ? (
          <>
            <span className={shared.state} data-tone="settled">
              <CircleCheck size={14} aria-hidden /> {texts.allClosed(codes.length)}
            </span>
            {near === 0 ? null : (
              <span className={shared.state} data-tone="awaiting">
                <TriangleAlert size={14} aria-hidden /> {texts.someNear(near)}
              </span>
            )}
          </>
        ) : null
      }
      caption={isQuiet ? <LastOpening lanes={lanes} /> : undefined}
    >
      <DataTable
        caption={texts.title}
        hideCaption
        columns={COLUMNS}
        rows={lines}
        rowKey={({ code, lane }) => `${code} ${lane?.lane ?? ""}`}
      />
      <LastRestart lanes={lanes} />
    </Section>
  );
}

/** The latest opening of any circuit breaker. */
function LastOpening({ lanes }: { readonly lanes: readonly LaneView[] }) {
  const [last] = lanes
    .flatMap(({ name, breaker_openings: openings }) =>
      openings.flatMap(({ breaker, opened_at: at }) =>
        breaker === "canary" ? [] : [{ name, breaker, at }],
      ),
    )
    .toSorted((one, other) => other.at.localeCompare(one.at));
  return last
    ? texts.lastOpened(texts.names[last.breaker], last.name, <Timestamp at={last.at} />)
    : texts.noneOpened;
}

function LastRestart({ lanes }: { readonly lanes: readonly LaneView[] }) {
  const [last] = lanes
    .flatMap(({ name, restarted_at: at }) => (at === null ? [] : [{ name, at }]))
    .toSorted((one, other) => other.at.localeCompare(one.at));
  return last ? (
    <div className={shared.foot}>
      <Text size="xs" c="dimmed">
        {texts.lastRestart(last.name, <Timestamp at={last.at} />)}
      </Text>
    </div>
  ) : null;
}

function linesOf(code: Code, lanes: readonly LaneView[]): Line[] {
  const open = lanes.filter(({ stop }) => stop?.breaker?.code === code);
  if (open.length > 0)
    return open.map((lane) => ({
      code,
      lane,
      reading: readingOf(code, lane),
      isOpen: true,
      opened: lane.stop && { at: lane.stop.since, lane: lane.name },
    }));
  const [nearest = null] = lanes
    .filter((lane) => shareOf(readingOf(code, lane)) > 0)
    .toSorted((one, other) => shareOf(readingOf(code, other)) - shareOf(readingOf(code, one)));
  // Without a value, the line shows the threshold of the first lane.
  const [first] = lanes;
  const of = nearest ?? first;
  const reading = of ? readingOf(code, of) : null;
  return [{ code, lane: nearest, reading, isOpen: false, opened: lastOpening(code, lanes) }];
}

function lastOpening(code: Code, lanes: readonly LaneView[]): Line["opened"] {
  const [last = null] = lanes
    .flatMap(({ name, breaker_openings: openings }) =>
      openings.flatMap(({ breaker, opened_at: at }) =>
        breaker === code ? [{ at, lane: name }] : [],
      ),
    )
    .toSorted((one, other) => other.at.localeCompare(one.at));
  return last;
}

const readingOf = (code: Code, lane: LaneView): Reading | null =>
  lane.breaker_readings.find(({ breaker }) => breaker === code) ?? null;

const shareOf = (reading: Reading | null): number =>
  reading === null ? 0 : Math.min(1, reading.value / reading.stops_at);

const COLUMNS: readonly Column<Line>[] = [
  {
    key: "name",
    header: texts.breaker,
    names: true,
    cell: ({ code, lane }) => (
      <>
        {texts.names[code]}
        {lane ? <small className={classes.lane}>{lane.name}</small> : null}
      </>
    ),
  },
  { key: "state", header: texts.state, card: "amount", cell: (line) => <State of={line} /> },
  { key: "value", header: texts.now, cell: (line) => <Value of={line} /> },
  {
    key: "since",
    header: texts.since,
    isBlank: ({ opened }) => opened === null,
    cell: ({ opened, isOpen }) =>
      opened === null ? (
        <span className={classes.quiet}>{texts.never}</span>
      ) : (
        <>
          <Timestamp at={opened.at} />
          {isOpen ? null : <small className={classes.lane}>{opened.lane}</small>}
        </>
      ),
  },
  { key: "closes", header: texts.closes, cell: ({ code }) => texts.closesWhen[code] },
];

function State({ of: { isOpen, reading } }: { readonly of: Line }) {
  if (!isOpen)
    return (
      <span className={classes.closed} data-near={shareOf(reading) >= NEAR || undefined}>
        <CircleCheck size={14} aria-hidden /> {texts.closed}
      </span>
    );
  return (
    <span className={shared.state} data-tone="hold">
      <PauseCircle size={14} aria-hidden /> {texts.open}
    </span>
  );
}

/** The value against the threshold. A breaker without a threshold opens at the first response. */
function Value({ of: { code, reading, isOpen } }: { readonly of: Line }) {
  if (reading === null) return <span className={classes.quiet}>{texts.firstResponse}</span>;
  const { value, stops_at: stopsAt } = reading;
  const isNear = isOpen || shareOf(reading) >= NEAR;
  const text = texts.values[code as keyof typeof texts.values];
  return (
    <div className={classes.value}>
      <meter
        min={0}
        max={stopsAt}
        value={Math.min(value, stopsAt)}
        aria-label={texts.names[code]}
        data-near={isNear || undefined}
      />
      <span data-near={isNear || undefined}>{text(countText(value), countText(stopsAt))}</span>
    </div>
  );
}
