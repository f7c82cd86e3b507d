import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { exactTimeText, timeText } from "../base/dates.ts";
import { readerZone } from "../base/time-zone.ts";
import { frameQuery } from "./frame-query.ts";
import classes from "./server-clock.module.css";
import { Tooltip } from "./tooltip.tsx";
import { messages } from "./messages.tsx";

const texts = messages.clock;

const MINUTE_MS = 60_000;
/** A timer may fire slightly early. */
const AFTER_MS = 20;
/** Smaller differences are not reported. */
const APART_MS_MIN = MINUTE_MS;

/** The server's time, in the time zone of the whole dashboard. */
export function ServerClock() {
  const aheadMs = useQuery(frameQuery).data?.aheadMs ?? 0;
  const nowMs = useMinute(aheadMs);
  const apart = Math.abs(aheadMs) < APART_MS_MIN ? null : apartText(aheadMs);
  const says = (
    <>
      {texts.explained(exactTimeText(nowMs))}
      {apart === null ? null : texts.differs(apart)}
    </>
  );
  return (
    <Tooltip says={says}>
      {(tipId) => (
        <span className={classes.clock} aria-describedby={tipId}>
          <time dateTime={new Date(nowMs).toISOString()} className="tabular">
            {timeText(nowMs)} {readerZone()}
          </time>
          {apart === null ? null : (
            <span className={classes.apart} data-tone="awaiting">
              {texts.warning(apart)}
            </span>
          )}
        </span>
      )}
    </Tooltip>
  );
}

/** Updates every minute, and after each server time. */
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
  const time = minutes < 120 ? texts.minutes(minutes) : texts.hours(Math.round(minutes / 60));
  return aheadMs > 0 ? texts.ahead(time) : texts.behind(time);
}
