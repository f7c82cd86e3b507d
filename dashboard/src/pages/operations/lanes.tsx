import { Button } from "@mantine/core";
import { CircleCheck, OctagonAlert, PauseCircle, RotateCw } from "lucide-react";
import { useState } from "react";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { BrakeText } from "../../components/brake-text.tsx";
import { Section } from "../../components/section.tsx";
import { LaneLimits, LimitDialog } from "./lane-limits.tsx";
import { type Wish, WishDialog } from "./lane-wish.tsx";
import { When } from "../../components/when.tsx";
import { useMay } from "../../session.ts";
import classes from "./operations.module.css";
import { countText, type SeenLane, type SeenPause } from "./seen.ts";

/** What the buttons of a lane stand for. */
type Act = Wish["verb"] | "limit";

/** The buttons stand with the state, not behind the counts, which on a phone are beside the screen. */
const columnsFor = (
  pauseOfAll: SeenPause | null,
  isFrozen: boolean,
  onAct: ((act: Act, lane: SeenLane) => void) | null,
): readonly Column<SeenLane>[] => [
  {
    key: "lane",
    header: "Lane",
    names: true,
    cell: ({ lane }) => <span className={classes.lane}>{lane}</span>,
  },
  {
    key: "state",
    header: "State",
    cell: (lane) => (
      <>
        <LaneState lane={lane} pauseOfAll={pauseOfAll} isFrozen={isFrozen} />
        <LaneLimits limits={lane.limits} />
        {onAct ? <LaneActions lane={lane} onAct={onAct} /> : null}
      </>
    ),
  },
  {
    key: "to_send",
    header: "Waiting",
    numeric: true,
    cell: (lane) => countText(lane.to_send, lane.is_more),
  },
  {
    key: "submitting",
    header: "Sending",
    numeric: true,
    cell: ({ submitting }) => countText(submitting),
  },
  {
    key: "accepted",
    header: "At gateway",
    numeric: true,
    cell: (lane) => countText(lane.accepted, lane.is_more),
  },
  {
    key: "in_doubt",
    header: "Unknown",
    numeric: true,
    cell: ({ in_doubt }) => countText(in_doubt),
  },
];

/** What is sent and what is not, lane by lane, and the buttons that change it. */
export function Lanes({
  lanes,
  pauseOfAll,
  isFrozen,
}: {
  readonly lanes: readonly SeenLane[];
  readonly pauseOfAll: SeenPause | null;
  /** The ledger is: nothing is sent in any lane. */
  readonly isFrozen: boolean;
}) {
  const [wish, setWish] = useState<Wish | null>(null);
  const [limited, setLimited] = useState<SeenLane | null>(null);
  const act = (verb: Act, lane: SeenLane) =>
    verb === "limit" ? setLimited(lane) : setWish({ verb, lane });
  const mayOperate = useMay("operate");
  return (
    <Section
      title="Lanes"
      actions={
        mayOperate && lanes.length > 0 ? (
          <Button
            size="xs"
            variant="default"
            onClick={() => setWish({ verb: pauseOfAll ? "resume" : "pause", lane: null })}
          >
            {pauseOfAll ? "Resume everything" : "Pause everything"}
          </Button>
        ) : null
      }
    >
      {pauseOfAll ? (
        <p className={classes.note} data-tone="alarm">
          <PauseCircle size={16} aria-hidden />{" "}
          {pauseOfAll.mode === "drain" ? "No new batch begins." : "Everything is paused."}{" "}
          <PauseText pause={pauseOfAll} />
        </p>
      ) : null}
      <DataTable
        caption="Lanes: the payouts of one merchant and currency"
        hideCaption
        columns={columnsFor(pauseOfAll, isFrozen, mayOperate ? act : null)}
        rows={lanes}
        rowKey={({ lane }) => lane}
        empty={
          <EmptyState text="No lane yet. A merchant and currency has one with its first batch." />
        }
      />
      {wish ? (
        <WishDialog
          wish={wish}
          lanes={lanes}
          pauseOfAll={pauseOfAll}
          onClose={() => setWish(null)}
        />
      ) : null}
      {limited ? (
        <LimitDialog lane={limited} lanes={lanes} onClose={() => setLimited(null)} />
      ) : null}
    </Section>
  );
}

function LaneState({
  lane: { pause, stop },
  pauseOfAll,
  isFrozen,
}: {
  readonly lane: SeenLane;
  readonly pauseOfAll: SeenPause | null;
  readonly isFrozen: boolean;
}) {
  if (!pause && !stop && !pauseOfAll && !isFrozen)
    return (
      <span className={classes.state} data-tone="good">
        <CircleCheck size={14} aria-hidden /> open
      </span>
    );
  return (
    <>
      {isFrozen ? (
        <div>
          <span className={classes.state} data-tone="bad">
            <OctagonAlert size={14} aria-hidden /> frozen with the ledger
          </span>
        </div>
      ) : null}
      {pause || pauseOfAll ? (
        <div>
          <span className={classes.state} data-tone="alarm">
            <PauseCircle size={14} aria-hidden /> {pauseName(pause ?? pauseOfAll)}
            {pause ? "" : " with all"}
          </span>
          {pause ? <PauseText pause={pause} /> : null}
        </div>
      ) : null}
      {stop ? (
        <div>
          <span className={classes.state} data-tone={stop.needs === "person" ? "bad" : "alarm"}>
            {stop.needs === "person" ? (
              <OctagonAlert size={14} aria-hidden />
            ) : (
              <RotateCw size={14} aria-hidden />
            )}
            {NEEDS[stop.needs]}
          </span>
          <small className={classes.why}>
            {stop.reason}, since <When at={stop.since} />
          </small>
          {stop.brake ? <BrakeText brake={stop.brake} /> : null}
        </div>
      ) : null}
    </>
  );
}

const NEEDS = {
  person: "stopped, needs you",
  wait: "stopped, tried again by itself",
  answers: "stopped until the gateway says more",
} as const;

const pauseName = (pause: SeenPause | null): string =>
  pause?.mode === "drain" && pause.finishing > 0 ? "draining" : "paused";

const PauseText = ({ pause }: { readonly pause: SeenPause }) => (
  <small className={classes.why}>
    {pause.reason} – {pause.actor_name}, since <When at={pause.since} relative={false} />
    {pause.until ? (
      <>
        , until <When at={pause.until} relative={false} />
      </>
    ) : null}
    {pause.mode === "drain" ? `. ${drainText(pause.finishing)}` : null}
  </small>
);

function LaneActions({
  lane,
  onAct,
}: {
  readonly lane: SeenLane;
  readonly onAct: (act: Act, lane: SeenLane) => void;
}) {
  const button = (act: Act, label: string) => (
    <Button
      size="compact-sm"
      variant="default"
      onClick={() => onAct(act, lane)}
      aria-label={`${label} ${lane.lane}`}
    >
      {label}
    </Button>
  );
  return (
    <div className={classes.buttons} data-below>
      {lane.pause ? button("resume", "Resume") : button("pause", "Pause")}
      {lane.stop ? button("open", "Open") : null}
      {button("limit", "Limit")}
    </div>
  );
}

const drainText = (finishing: number): string =>
  finishing === 0
    ? "Nothing is left to send of what had begun."
    : `${finishing === 1 ? "1 batch that had begun is" : `${finishing} batches that had begun are`} still sent.`;
