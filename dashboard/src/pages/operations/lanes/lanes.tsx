import { Button, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { OctagonAlert, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { type Answer, call } from "../../../server/client.ts";
import { type Column, DataTable } from "../../../components/data-table.tsx";
import { EmptyState } from "../../../components/empty-state.tsx";
import { Section } from "../../../components/section.tsx";
import { acceptanceOf } from "./acceptance.ts";
import { LaneLimits, RateLimitDialog } from "./lane-limits.tsx";
import { type LaneAction, LaneActionDialog } from "./lane-action-dialog.tsx";
import { LaneState, PauseText } from "./lane-state.tsx";
import { useMay } from "../../../server/session.ts";
import { messages } from "../shared/messages.ts";
import classes from "../shared/operations.module.css";
import { countText, type LaneView, type LanePause } from "../shared/operations-view.ts";
import { Sparkline } from "../shared/sparkline.tsx";

const texts = messages.lanes;

type LaneRate = Answer<"GET /api/operations/lane-rates">["items"][number];

/** The rate of a lane. Undefined: the rates are not loaded. Null: the lane has none. */
type RateOf = (lane: LaneView) => LaneRate | null | undefined;

/** The actions on a lane. */
type Act = LaneAction["verb"] | "limit";

interface LanesProps {
  readonly lanes: readonly LaneView[];
  readonly pauseOfAll: LanePause | null;
  /** The ledger is frozen: no lane sends payouts. */
  readonly isFrozen: boolean;
}

const REFRESH_MS = 10_000;

/** The state, counts and traffic of each lane, with buttons that control it. */
export function Lanes({ lanes, pauseOfAll, isFrozen }: LanesProps) {
  const [action, setAction] = useState<LaneAction | null>(null);
  const [limited, setLimited] = useState<LaneView | null>(null);
  const [filter, setFilter] = useState("");
  const [showsIdle, setShowsIdle] = useState(false);
  const { data: rates } = useQuery({
    queryKey: ["GET /api/operations/lane-rates"],
    queryFn: ({ signal }) => call("GET /api/operations/lane-rates", { signal }),
    refetchInterval: REFRESH_MS,
  });
  const act = (verb: Act, lane: LaneView) =>
    verb === "limit" ? setLimited(lane) : setAction({ verb, lane });
  const mayOperate = useMay("operate");
  const rateOf: RateOf = ({ lane }) =>
    rates && (rates.items.find((each) => each.lane === lane) ?? null);
  const found = lanes.filter(({ name }) => name.toLowerCase().includes(filter.toLowerCase()));
  const idle = found.filter((lane) => isIdle(lane, rateOf(lane)));
  const hidesIdle = !showsIdle && idle.length < found.length && idle.length > 1;
  return (
    <Section
      isFlush
      title={texts.title}
      actions={
        lanes.length > FILTERED_FROM ? (
          <TextInput
            size="xs"
            aria-label={texts.filter}
            placeholder={texts.filter}
            value={filter}
            onChange={({ currentTarget }) => setFilter(currentTarget.value)}
          />
        ) : null
      }
    >
      <DataTable
        caption={texts.caption}
        hideCaption
        columns={columnsFor({ pauseOfAll, isFrozen, rateOf, onAct: mayOperate ? act : null })}
        rows={hidesIdle ? found.filter((lane) => !idle.includes(lane)) : found}
        rowKey={({ lane }) => lane}
        empty={<EmptyState text={lanes.length === 0 ? texts.empty : texts.noneFound} />}
      />
      {lanes.length === 0 ? null : (
        <div className={classes.foot}>
          <Text size="xs" c="dimmed">
            {texts.explained}
            {rates?.items.some(({ p95_ms }) => p95_ms !== null) ? ` ${texts.p95Explained}` : ""}
          </Text>
          {hidesIdle ? (
            <Button variant="default" size="xs" onClick={() => setShowsIdle(true)}>
              {texts.showIdle(idle.length)}
            </Button>
          ) : null}
        </div>
      )}
      {action ? (
        <LaneActionDialog
          action={action}
          lanes={lanes}
          pauseOfAll={pauseOfAll}
          onClose={() => setAction(null)}
        />
      ) : null}
      {limited ? (
        <RateLimitDialog lane={limited} lanes={lanes} onClose={() => setLimited(null)} />
      ) : null}
    </Section>
  );
}

/** Number of lanes above which the list has a filter. */
const FILTERED_FROM = 5;

/** A lane without work, traffic, stop or pause. */
const isIdle = (lane: LaneView, rate: ReturnType<RateOf>): boolean =>
  rate !== undefined &&
  lane.to_send + lane.submitting + lane.accepted + lane.in_doubt === 0 &&
  lane.stop === null &&
  lane.pause === null &&
  !rate?.sent.some((count) => count > 0);

interface ColumnSources extends Omit<LanesProps, "lanes"> {
  readonly rateOf: RateOf;
  readonly onAct: ((act: Act, lane: LaneView) => void) | null;
}

const columnsFor = ({
  pauseOfAll,
  isFrozen,
  rateOf,
  onAct,
}: ColumnSources): readonly Column<LaneView>[] => [
  { key: "lane", header: texts.lane, names: true, cell: (lane) => <LaneName lane={lane} /> },
  {
    key: "state",
    header: texts.state,
    card: "amount",
    cell: (lane) => <LaneState lane={lane} pauseOfAll={pauseOfAll} isFrozen={isFrozen} />,
  },
  {
    key: "to_send",
    header: texts.waiting,
    numeric: true,
    isBlank: ({ to_send }) => to_send === 0,
    cell: (lane) => countText(lane.to_send, lane.is_more),
  },
  {
    key: "in_flight",
    header: texts.inFlight,
    numeric: true,
    isBlank: ({ submitting, accepted }) => submitting + accepted === 0,
    cell: (lane) => countText(lane.submitting + lane.accepted, lane.is_more),
  },
  {
    key: "in_doubt",
    header: texts.inDoubt,
    numeric: true,
    cell: ({ in_doubt }) =>
      in_doubt === 0 ? "0" : <strong data-tone="doubt">{countText(in_doubt)}</strong>,
  },
  {
    key: "rate",
    header: texts.rate,
    numeric: true,
    cell: (lane) => sendRate(rateOf(lane), lane.limits?.rate ?? null),
  },
  {
    key: "trend",
    header: texts.trend,
    card: "none",
    isMinor: true,
    isBlank: (lane) => !rateOf(lane)?.sent.some((count) => count > 0),
    cell: (lane) => (
      <Sparkline values={rateOf(lane)?.sent ?? []} label={texts.trendOf(lane.name)} />
    ),
  },
  ...responseColumns(rateOf),
  ...(onAct
    ? [
        {
          key: "actions",
          header: texts.actionsHeader,
          card: "action" as const,
          cell: (lane: LaneView) => <LaneActions lane={lane} onAct={onAct} />,
        },
      ]
    : []),
];

const responseColumns = (rateOf: RateOf): readonly Column<LaneView>[] => [
  {
    key: "accepted",
    header: texts.acceptedShare,
    numeric: true,
    cell: (lane) => {
      const percent = percentText(rateOf(lane)?.accepted_percent);
      const mark = acceptanceOf(rateOf(lane) ?? null, lane.breakers.counts);
      return mark === null ? percent : <LowAcceptance percent={percent} mark={mark} />;
    },
  },
  {
    key: "p95",
    header: texts.p95Header,
    numeric: true,
    cell: (lane) => latencyText(rateOf(lane)?.p95_ms),
  },
];

/** A rate below a threshold: its colour, an icon and the threshold in words. */
const LowAcceptance = ({
  percent,
  mark: { level, tone, threshold },
}: {
  readonly percent: string;
  readonly mark: NonNullable<ReturnType<typeof acceptanceOf>>;
}) => (
  <span className={classes.acceptance} data-tone={tone}>
    {level === "critical" ? (
      <OctagonAlert size={14} aria-hidden />
    ) : (
      <TriangleAlert size={14} aria-hidden />
    )}{" "}
    {percent}
    <small>{texts.acceptance[level](texts.percent(String(threshold)))}</small>
  </span>
);

const LaneName = ({ lane }: { readonly lane: LaneView }) => (
  <>
    <span className={classes.lane} title={lane.lane}>
      {lane.name}
    </span>
    <LaneLimits limits={lane.limits} />
    {lane.pause ? <PauseText pause={lane.pause} /> : null}
  </>
);

const RATE = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });

/** Cells return text, because a card omits the text "–". */
function sendRate(rate: ReturnType<RateOf>, limit: number | null): string {
  if (rate === undefined) return "–";
  const sent = RATE.format(rate?.per_second ?? 0);
  return limit === null ? texts.perSecond(sent) : texts.perSecondOf(sent, RATE.format(limit));
}

const percentText = (percent: number | null | undefined): string =>
  percent === null || percent === undefined ? "–" : texts.percent(RATE.format(percent));

const latencyText = (ms: number | null | undefined): string =>
  ms === null || ms === undefined ? "–" : texts.milliseconds(ms);

function LaneActions({
  lane,
  onAct,
}: {
  readonly lane: LaneView;
  readonly onAct: (act: Act, lane: LaneView) => void;
}) {
  const button = (act: Act) => (
    <Button
      size="compact-sm"
      variant="default"
      onClick={() => onAct(act, lane)}
      aria-label={texts.actionOn(texts.actions[act], lane.name)}
    >
      {texts.actions[act]}
    </Button>
  );
  return (
    <div className={classes.rowButtons} data-beside-facts>
      {lane.pause ? button("resume") : button("pause")}
      {lane.stop ? button("open") : null}
      {button("limit")}
    </div>
  );
}
