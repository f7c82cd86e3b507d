import { Button, NativeSelect } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { CircleCheck, OctagonAlert, PauseCircle, RotateCw } from "lucide-react";
import { useState } from "react";
import { call } from "../../client.ts";
import { ConfirmInNumbers } from "../../components/confirm-in-numbers.tsx";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { BrakeText } from "../../components/brake-text.tsx";
import { Section } from "../../components/section.tsx";
import { LaneLimits, LimitDialog } from "./lane-limits.tsx";
import { When } from "../../components/when.tsx";
import { useMay } from "../../session.ts";
import classes from "./operations.module.css";
import { countText, payoutsText, type SeenLane, type SeenPause } from "./seen.ts";

type Verb = "pause" | "resume" | "open";
/** What the buttons of a lane stand for. */
type Act = Verb | "limit";
interface Wish {
  readonly verb: Verb;
  /** Null: every lane. */
  readonly lane: SeenLane | null;
}

const columnsFor = (pauseOfAll: SeenPause | null): readonly Column<SeenLane>[] => [
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
        <LaneState lane={lane} pauseOfAll={pauseOfAll} />
        <LaneLimits limits={lane.limits} />
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

const actionsFor = (onAct: (act: Act, lane: SeenLane) => void): Column<SeenLane> => ({
  key: "act",
  header: "Act",
  cell: (lane) => <LaneActions lane={lane} onAct={onAct} />,
});

/** What is sent and what is not, lane by lane, and the buttons that change it. */
export function Lanes({
  lanes,
  pauseOfAll,
}: {
  readonly lanes: readonly SeenLane[];
  readonly pauseOfAll: SeenPause | null;
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
          <PauseCircle size={16} aria-hidden /> Everything is paused.{" "}
          <PauseText pause={pauseOfAll} />
        </p>
      ) : null}
      <DataTable
        caption="Lanes: the payouts of one merchant and currency"
        hideCaption
        columns={mayOperate ? [...columnsFor(pauseOfAll), actionsFor(act)] : columnsFor(pauseOfAll)}
        rows={lanes}
        rowKey={({ lane }) => lane}
        empty={
          <EmptyState text="No lane yet. A merchant and currency has one with its first batch." />
        }
      />
      {wish ? <WishDialog wish={wish} lanes={lanes} onClose={() => setWish(null)} /> : null}
      {limited ? <LimitDialog lane={limited} onClose={() => setLimited(null)} /> : null}
    </Section>
  );
}

function LaneState({
  lane: { pause, stop },
  pauseOfAll,
}: {
  readonly lane: SeenLane;
  readonly pauseOfAll: SeenPause | null;
}) {
  if (!pause && !stop && !pauseOfAll)
    return (
      <span className={classes.state} data-tone="good">
        <CircleCheck size={14} aria-hidden /> open
      </span>
    );
  return (
    <>
      {pause || pauseOfAll ? (
        <div>
          <span className={classes.state} data-tone="alarm">
            <PauseCircle size={14} aria-hidden /> {pause ? "paused" : "paused with all"}
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
  answers: "stopped until doubts are answered",
} as const;

const PauseText = ({ pause }: { readonly pause: SeenPause }) => (
  <small className={classes.why}>
    {pause.reason} – {pause.actor_name}, since <When at={pause.since} />
    {pause.until ? (
      <>
        , until <When at={pause.until} relative={false} />
      </>
    ) : null}
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
    <div className={classes.buttons}>
      {lane.pause ? button("resume", "Resume") : button("pause", "Pause")}
      {lane.stop ? button("open", "Open") : null}
      {button("limit", "Limit")}
    </div>
  );
}

const HOURS = [
  { value: "", label: "until a person resumes it" },
  { value: "1", label: "for 1 hour" },
  { value: "4", label: "for 4 hours" },
  { value: "12", label: "for 12 hours" },
];
const HOUR_MS = 3_600_000;

function WishDialog({
  wish: { verb, lane },
  lanes,
  onClose,
}: {
  readonly wish: Wish;
  readonly lanes: readonly SeenLane[];
  readonly onClose: () => void;
}) {
  const client = useQueryClient();
  const [hours, setHours] = useState("");
  const name = lane?.lane ?? "all";
  const what = lane?.lane ?? "everything";
  // As they stand now: the numbers may have changed since the button was pressed.
  const meant = lane === null ? lanes : lanes.filter((each) => each.lane === lane.lane);
  const act = async ({ reason }: { readonly reason: string }) => {
    const until =
      hours === "" ? null : new Date(Date.now() + Number(hours) * HOUR_MS).toISOString();
    if (verb === "pause")
      await call("POST /api/lanes/pause", { body: { lane: name, reason, until } });
    else await call(`POST /api/lanes/${verb}`, { body: { lane: name, reason } });
    await client.invalidateQueries({ queryKey: ["GET /api/operations"] });
  };
  const title = `${VERBS[verb]} ${what}`;
  return (
    <ConfirmInNumbers
      opened
      onClose={onClose}
      title={title}
      verb={lane ? VERBS[verb] : title}
      sentence={sentenceOf(verb, meant, lane === null)}
      asksReason
      onConfirm={act}
    >
      {verb === "pause" ? (
        <NativeSelect
          label="How long"
          data={HOURS}
          value={hours}
          onChange={({ currentTarget }) => setHours(currentTarget.value)}
        />
      ) : null}
    </ConfirmInNumbers>
  );
}

const VERBS = { pause: "Pause", resume: "Resume", open: "Open" } as const;

/** What will happen, in numbers. */
function sentenceOf(verb: Verb, lanes: readonly SeenLane[], isAll: boolean): string {
  const sum = (count: (lane: SeenLane) => number) =>
    lanes.reduce((all, lane) => all + count(lane), 0);
  const isMore = lanes.some(({ is_more }) => is_more);
  const waiting = payoutsText(
    sum(({ to_send }) => to_send),
    isMore,
  );
  const sent = payoutsText(
    sum((lane) => lane.submitting + lane.accepted + lane.in_doubt),
    isMore,
  );
  switch (verb) {
    case "pause":
      return `${waiting} will wait unsent. ${sent} at the gateway are still followed.`;
    case "resume":
      return isAll
        ? `${waiting} may be sent again. Lanes that were paused one by one stay paused.`
        : `${waiting} may be sent again.`;
    case "open":
      return `${waiting} may be sent again. If the cause is not mended, the lane stops again with the first answer.`;
  }
}
