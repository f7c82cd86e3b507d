import { Button, Text } from "@mantine/core";
import { useQueries } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { dateText } from "../../base/dates.ts";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { LaneName } from "../../components/payout/lane-name.tsx";
import { PageLink } from "../../components/page-link.tsx";
import { Section } from "../../components/section.tsx";
import type { Answer } from "../../server/client.ts";
import { useMay } from "../../server/session.ts";
import { dayQuery, type DayView } from "./day-query.ts";
import { messages } from "./messages.tsx";
import classes from "./lane-overview.module.css";
import { nextStepOf, useNextStep } from "./next-step.ts";

const texts = messages.overview;

/** Loaded on demand, because a lane needs it once. */
const OpeningForm = lazy(async () => ({
  default: (await import("./opening-form.tsx")).OpeningForm,
}));

type Days = Answer<"GET /api/days">;

/** A lane with its next day to close. Null: it has no opening balance. */
interface Line {
  readonly lane: string;
  readonly next: { readonly day: string; readonly view: DayView | undefined } | null;
}

/** Every lane with its next step, so that the reader sees at once what is left to close. */
export function LaneOverview({ of, shown }: { readonly of: Days; readonly shown?: string }) {
  const mayOperate = useMay("operate");
  const [opening, setOpening] = useState<string | null>(null);
  const views = useQueries({
    queries: of.lanes.map(({ lane, next_day: day }) => dayQuery({ lane, day })),
    combine: (results) => results.map(({ data }) => data),
  });
  const lines: readonly Line[] = [
    ...of.lanes.map(({ lane, next_day: day }, at) => ({ lane, next: { day, view: views[at] } })),
    ...of.other_lanes.map((lane) => ({ lane, next: null })),
  ];
  const columns = columnsOf((line) =>
    actionOf(line, { shown, onOpen: mayOperate ? () => setOpening(line.lane) : null }),
  );
  const started = lines.filter(({ next }) => next !== null);
  // They need a decision only once, so they are folded if other lanes are closed.
  const waiting = lines.filter(({ next }) => next === null);
  // The page shows the steps of its lane above.
  const isShownAlone = started.length === 1 && started[0]?.lane === shown;
  if (isShownAlone && waiting.length === 0) return null;
  const table = (rows: readonly Line[]) => (
    <DataTable
      caption={texts.title}
      hideCaption
      columns={columns}
      rows={rows}
      rowKey={({ lane }) => lane}
    />
  );
  return (
    <Section
      title={isShownAlone ? texts.otherLanes : texts.title}
      caption={started.length === 0 ? texts.caption : undefined}
      isFlush
      foldsOnPhone={shown !== undefined}
    >
      {lines.length === 0 ? (
        <Text size="sm" p="md">
          {texts.empty}
        </Text>
      ) : null}
      {started.length === 0 || isShownAlone ? null : table(started)}
      {waiting.length === 0 ? null : started.length === 0 ? (
        table(waiting)
      ) : (
        <details className={classes.waiting}>
          <summary>{texts.notStarted(waiting.length)}</summary>
          {table(waiting)}
        </details>
      )}
      {opening === null ? null : (
        <Suspense>
          <OpeningForm key={opening} lane={opening} onClosed={() => setOpening(null)} />
        </Suspense>
      )}
    </Section>
  );
}

const columnsOf = (action: (line: Line) => ReactNode): readonly Column<Line>[] => [
  {
    key: "lane",
    header: texts.lane,
    names: true,
    cell: laneLink,
  },
  {
    key: "day",
    header: texts.day,
    cell: ({ next }) => (next === null ? "–" : dateText(next.day)),
  },
  { key: "state", header: texts.state, cell: (line) => stateText(line) },
  {
    key: "action",
    header: texts.action,
    card: "action",
    cell: action,
  },
];

const laneLink = ({ lane, next }: Line): ReactNode =>
  next === null ? (
    <LaneName lane={lane} />
  ) : (
    <PageLink to={`/reconciliation/days?${new URLSearchParams({ lane }).toString()}`}>
      <LaneName lane={lane} />
    </PageLink>
  );

/** The button of the next step. The shown lane has its buttons above the list. */
function actionOf(
  { lane, next }: Line,
  { shown, onOpen }: { readonly shown: string | undefined; readonly onOpen: (() => void) | null },
): ReactNode {
  if (next !== null) return next.view && lane !== shown ? <StepButton of={next.view} /> : null;
  return onOpen === null ? null : (
    <Button size="xs" variant="default" onClick={onOpen}>
      {texts.open}
    </Button>
  );
}

function stateText({ next }: Line): string {
  if (next === null) return texts.noOpening;
  return next.view ? nextStepOf(next.view).text : "–";
}

/** The action of the next step, which opens its page. */
function StepButton({ of }: { readonly of: DayView }) {
  const { verb, to, operates } = useNextStep(of);
  const mayOperate = useMay("operate");
  return verb === null || (operates && !mayOperate) ? null : (
    <Button size="xs" variant="default" component={Link} to={to}>
      {verb}
    </Button>
  );
}
