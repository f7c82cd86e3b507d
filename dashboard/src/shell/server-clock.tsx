import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { frameQuery } from "./frame-query.ts";
import classes from "./server-clock.module.css";
import { Tip } from "./tip.tsx";

const CLOCK = new Intl.DateTimeFormat(undefined, {
  hour: "2-digit",
  minute: "2-digit",
  timeZoneName: "short",
});
const LONG = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "full" });
const MINUTE_MS = 60_000;
/** A timer may come early by a hair. */
const AFTER_MS = 20;
/** Less than this disturbs nobody. */
const APART_MS_MIN = MINUTE_MS;

/** The time by the server's clock, in the zone of every time of the desk. */
export function ServerClock() {
  const aheadMs = useQuery(frameQuery).data?.aheadMs ?? 0;
  const nowMs = useMinute(aheadMs);
  const apart = Math.abs(aheadMs) < APART_MS_MIN ? null : apartText(aheadMs);
  const says = (
    <>
      {LONG.format(nowMs)}. This is the server's clock; every time here is shown in this zone.
      {apart === null ? null : ` The clock of this computer is ${apart}.`}
    </>
  );
  return (
    <Tip says={says}>
      {(tipId) => (
        <span className={classes.clock} aria-describedby={tipId}>
          <time dateTime={new Date(nowMs).toISOString()} className="tabular">
            {CLOCK.format(nowMs)}
          </time>
          {apart === null ? null : (
            <span className={classes.apart} data-tone="alarm">
              your computer is {apart}
            </span>
          )}
        </span>
      )}
    </Tip>
  );
}

/** Anew with each minute, and whenever the server has told its time. */
function useMinute(aheadMs: number): number {
  const [nowMs, setNowMs] = useState(() => Date.now() - aheadMs);
  useEffect(() => {
    const tick = (): void => {
      const tickedMs = Date.now() - aheadMs;
      setNowMs(tickedMs);
      timer = setTimeout(tick, MINUTE_MS - (tickedMs % MINUTE_MS) + AFTER_MS);
    };
    let timer = setTimeout(tick);
    return () => clearTimeout(timer);
  }, [aheadMs]);
  return nowMs;
}

/** "12 min ahead", "3 h behind". */
function apartText(aheadMs: number): string {
  const minutes = Math.round(Math.abs(aheadMs) / MINUTE_MS);
  const size = minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
  return `${size} ${aheadMs > 0 ? "ahead" : "behind"}`;
}
