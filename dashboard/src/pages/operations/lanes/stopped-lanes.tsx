import { ArrowRight, CircleCheck, PauseCircle, RotateCw } from "lucide-react";
import { Fragment } from "react";
import { Timestamp } from "../../../components/timestamp.tsx";
import { CircuitBreakerText } from "../../../components/payout/circuit-breaker-text.tsx";
import { messages } from "../shared/messages.ts";
import classes from "./stopped-lanes.module.css";
import { type LaneView, payoutsText } from "../shared/operations-view.ts";

const texts = messages.stops;

/** The lanes that circuit breakers stopped, with the reason and the effect on money. */
export const StoppedLanes = ({ lanes }: { readonly lanes: readonly LaneView[] }) => (
  <>{lanes.map((lane) => (lane.stop ? <StoppedLane key={lane.lane} lane={lane} /> : null))}</>
);

function StoppedLane({ lane }: { readonly lane: LaneView }) {
  const { stop } = lane;
  if (!stop) return null;
  return (
    <section
      className={classes.stop}
      data-tone={stop.needs === "person" ? "declined" : "hold"}
      aria-label={texts.title(lane.name)}
    >
      <p className={classes.title}>
        <strong>{texts.title(lane.name)}</strong> {stop.reason}
        {texts.since} <Timestamp at={stop.since} />
      </p>
      <ol className={classes.steps} aria-label={texts.steps}>
        {STEPS[stop.needs].map(({ key, icon: Icon }, at) => (
          <Fragment key={key}>
            {at === 0 ? null : <ArrowRight size={16} aria-hidden className={classes.arrow} />}
            <li aria-current={key === "open" ? "step" : undefined}>
              <span>
                <Icon size={14} aria-hidden /> {texts.states[key].name}
              </span>
              <small>{texts.states[key].does}</small>
            </li>
          </Fragment>
        ))}
      </ol>
      <p className={classes.effect}>
        {texts.waiting(payoutsText(lane.to_send, lane.is_more))}{" "}
        {stop.retry_at ? (
          <>
            {texts.retries} <Timestamp at={stop.retry_at} />
          </>
        ) : (
          texts.next[stop.needs]
        )}
      </p>
      {stop.breaker ? (
        <details className={classes.details}>
          <summary>{texts.about}</summary>
          <CircuitBreakerText breaker={stop.breaker} />
        </details>
      ) : null}
    </section>
  );
}

const CLOSED = { key: "closed", icon: CircleCheck } as const;
const OPEN = { key: "open", icon: PauseCircle } as const;
const PROBE = { key: "probe", icon: RotateCw } as const;
const CLOSES = { key: "closes", icon: CircleCheck } as const;

/** The states of a circuit breaker, by what ends the stop. */
const STEPS = {
  wait: [CLOSED, OPEN, PROBE, CLOSES],
  answers: [CLOSED, OPEN, CLOSES],
  person: [CLOSED, OPEN, CLOSES],
} as const satisfies Record<NonNullable<LaneView["stop"]>["needs"], unknown>;
