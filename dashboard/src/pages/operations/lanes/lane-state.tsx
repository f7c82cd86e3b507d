import { CircleCheck, OctagonAlert, PauseCircle, RotateCw } from "lucide-react";
import { Timestamp } from "../../../components/timestamp.tsx";
import { messages } from "../shared/messages.ts";
import classes from "../shared/operations.module.css";
import type { LanePause, LaneView } from "../shared/operations-view.ts";

const texts = messages.lanes;

interface LaneStateProps {
  readonly lane: LaneView;
  readonly pauseOfAll: LanePause | null;
  /** The ledger is frozen: no lane sends payouts. */
  readonly isFrozen: boolean;
}

/** The states of a lane as badges: sending, or each reason for which it does not send. */
export function LaneState({ lane: { pause, stop }, pauseOfAll, isFrozen }: LaneStateProps) {
  const isSending = !pause && !stop && !pauseOfAll && !isFrozen;
  return (
    <div className={classes.states}>
      {isSending ? (
        <span className={classes.state} data-tone="settled">
          <CircleCheck size={14} aria-hidden /> {texts.open}
        </span>
      ) : null}
      {isFrozen ? (
        <span className={classes.state} data-tone="declined">
          <OctagonAlert size={14} aria-hidden /> {texts.frozen}
        </span>
      ) : null}
      {pause || pauseOfAll ? (
        <span className={classes.state} data-tone="hold">
          <PauseCircle size={14} aria-hidden />{" "}
          {pause ? pauseName(pause) : texts.pausedWithAll(pauseName(pauseOfAll))}
        </span>
      ) : null}
      {stop ? (
        <span className={classes.state} data-tone={stop.needs === "person" ? "declined" : "hold"}>
          {stop.needs === "person" ? (
            <OctagonAlert size={14} aria-hidden />
          ) : (
            <RotateCw size={14} aria-hidden />
          )}
          {texts.needs[stop.needs]}
        </span>
      ) : null}
    </div>
  );
}

const pauseName = (pause: LanePause | null): string =>
  pause?.mode === "drain" && pause.finishing > 0 ? texts.draining : texts.paused;

/** Who paused, why, and until when. */
export const PauseText = ({ pause }: { readonly pause: LanePause }) => (
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

const drainText = (finishing: number): string =>
  finishing === 0 ? texts.drained : texts.stillDraining(finishing);
