import { Button } from "@mantine/core";
import { CircleCheck, OctagonAlert, PauseCircle, RotateCw } from "lucide-react";
import { useState } from "react";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { CircuitBreakerText } from "../../components/payout/circuit-breaker-text.tsx";
import { Section } from "../../components/section.tsx";
import { LaneLimits, RateLimitDialog } from "./lane-limits.tsx";
import { type LaneAction, LaneActionDialog } from "./lane-action-dialog.tsx";
import { Timestamp } from "../../components/timestamp.tsx";
import { useMay } from "../../server/session.ts";
import { messages } from "./messages.ts";
import classes from "./operations.module.css";
import { countText, type LaneView, type LanePause } from "./operations-view.ts";

const texts = messages.lanes;

/** The actions on a lane. */
type Act = LaneAction["verb"] | "limit";

const columnsFor = (
  pauseOfAll: LanePause | null,
  isFrozen: boolean,
  onAct: ((act: Act, lane: LaneView) => void) | null,
): readonly Column<LaneView>[] => [
  {
    key: "lane",
    header: texts.lane,
    names: true,
    cell: ({ lane }) => <span className={classes.lane}>{lane}</span>,
  },
  {
    key: "state",
    header: texts.state,
    card: "state",
    cell: (lane) => (
      <>
        <LaneState lane={lane} pauseOfAll={pauseOfAll} isFrozen={isFrozen} />
        <LaneLimits limits={lane.limits} />
      </>
    ),
  },
  {
    key: "to_send",
    header: texts.waiting,
    numeric: true,
    cell: (lane) => countText(lane.to_send, lane.is_more),
  },
  {
    key: "submitting",
    header: texts.sending,
    numeric: true,
    cell: ({ submitting }) => countText(submitting),
  },
  {
    key: "accepted",
    header: texts.atGateway,
    numeric: true,
    cell: (lane) => countText(lane.accepted, lane.is_more),
  },
  {
    key: "in_doubt",
    header: texts.inDoubt,
    numeric: true,
    cell: ({ in_doubt }) => countText(in_doubt),
  },
  ...(onAct
    ? [
        {
          key: "actions",
          header: texts.actionsHeader,
          cell: (lane: LaneView) => <LaneActions lane={lane} onAct={onAct} />,
        },
      ]
    : []),
];

/** The state and counts of each lane, with buttons that pause, resume, open and limit it. */
export function Lanes({
  lanes,
  pauseOfAll,
  isFrozen,
}: {
  readonly lanes: readonly LaneView[];
  readonly pauseOfAll: LanePause | null;
  /** The ledger is frozen: no lane sends payouts. */
  readonly isFrozen: boolean;
}) {
  const [action, setAction] = useState<LaneAction | null>(null);
  const [limited, setLimited] = useState<LaneView | null>(null);
  const act = (verb: Act, lane: LaneView) =>
    verb === "limit" ? setLimited(lane) : setAction({ verb, lane });
  const mayOperate = useMay("operate");
  return (
    <Section
      title={texts.title}
      actions={
        mayOperate && lanes.length > 0 ? (
          <Button
            size="xs"
            variant="default"
            onClick={() => setAction({ verb: pauseOfAll ? "resume" : "pause", lane: null })}
          >
            {pauseOfAll ? texts.resumeAll : texts.pauseAll}
          </Button>
        ) : null
      }
    >
      {pauseOfAll ? (
        <p className={classes.note} data-tone="hold">
          <PauseCircle size={16} aria-hidden />{" "}
          {pauseOfAll.mode === "drain" ? texts.noNewBatches : texts.allPaused}{" "}
          <PauseText pause={pauseOfAll} />
        </p>
      ) : null}
      <DataTable
        caption={texts.caption}
        hideCaption
        columns={columnsFor(pauseOfAll, isFrozen, mayOperate ? act : null)}
        rows={lanes}
        rowKey={({ lane }) => lane}
        empty={<EmptyState text={texts.empty} />}
      />
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

function LaneState({
  lane: { pause, stop },
  pauseOfAll,
  isFrozen,
}: {
  readonly lane: LaneView;
  readonly pauseOfAll: LanePause | null;
  readonly isFrozen: boolean;
}) {
  if (!pause && !stop && !pauseOfAll && !isFrozen)
    return (
      <span className={classes.state} data-tone="settled">
        <CircleCheck size={14} aria-hidden /> {texts.open}
      </span>
    );
  return (
    <>
      {isFrozen ? (
        <div>
          <span className={classes.state} data-tone="declined">
            <OctagonAlert size={14} aria-hidden /> {texts.frozen}
          </span>
        </div>
      ) : null}
      {pause || pauseOfAll ? (
        <div>
          <span className={classes.state} data-tone="hold">
            <PauseCircle size={14} aria-hidden />{" "}
            {pause ? pauseName(pause) : texts.pausedWithAll(pauseName(pauseOfAll))}
          </span>
          {pause ? <PauseText pause={pause} /> : null}
        </div>
      ) : null}
      {stop ? (
        <div>
          <span className={classes.state} data-tone={stop.needs === "person" ? "declined" : "hold"}>
            {stop.needs === "person" ? (
              <OctagonAlert size={14} aria-hidden />
            ) : (
              <RotateCw size={14} aria-hidden />
            )}
            {texts.needs[stop.needs]}
          </span>
          <small className={classes.why}>
            {stop.reason}
            {texts.since} <Timestamp at={stop.since} />
          </small>
          {stop.breaker ? <CircuitBreakerText breaker={stop.breaker} /> : null}
        </div>
      ) : null}
    </>
  );
}

const pauseName = (pause: LanePause | null): string =>
  pause?.mode === "drain" && pause.finishing > 0 ? texts.draining : texts.paused;

const PauseText = ({ pause }: { readonly pause: LanePause }) => (
  <small className={classes.why}>
    {pause.reason} – {pause.actor_name}
    {texts.since} <Timestamp at={pause.since} relative={false} />
    {pause.until ? (
      <>
        {texts.until} <Timestamp at={pause.until} relative={false} />
      </>
    ) : null}
    {pause.mode === "drain" ? `. ${drainText(pause.finishing)}` : null}
  </small>
);

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
      aria-label={`${texts.actions[act]} ${lane.lane}`}
    >
      {texts.actions[act]}
    </Button>
  );
  return (
    <div className={classes.buttons}>
      {lane.pause ? button("resume") : button("pause")}
      {lane.stop ? button("open") : null}
      {button("limit")}
    </div>
  );
}

const drainText = (finishing: number): string =>
  finishing === 0 ? texts.drained : texts.stillDraining(finishing);
