import { createContext, useContext, useEffect, useState } from "react";
import { dateTimeText, exactTimeText } from "../base/dates.ts";
import { serverNowMs } from "../base/server-time.ts";
import classes from "./timestamp.module.css";

const RELATIVE = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const STEPS = [
  ["second", 60],
  ["minute", 60],
  ["hour", 24],
  ["day", Number.POSITIVE_INFINITY],
] as const;
const TICK_MS = 15_000;

/** Whether times are cells of a table, where they have no relative time. */
export const InTable = createContext(false);

interface TimestampProps {
  readonly at: string | null;
  /** Adds "3 minutes ago", except in a table. */
  readonly relative?: boolean;
  /** Where the second matters, such as in evidence. */
  readonly seconds?: boolean;
  /** Also writes the current year, for pages that are printed. */
  readonly year?: boolean;
}

/**
 * A time in the reader's time zone: "31 Dec, 23:05 in 42 minutes". The absolute time comes first,
 * because "2 hours ago" gets outdated. The title has the year, the seconds and the zone.
 */
export function Timestamp({ at, relative = true, seconds = false, year = false }: TimestampProps) {
  const isInTable = useContext(InTable);
  const nowMs = useNow();
  if (at === null) return <span>–</span>;
  return (
    <time dateTime={at} title={exactTimeText(at)} className={classes.when}>
      <span className="tabular">{dateTimeText(at, { seconds, year })}</span>
      {relative && !isInTable ? (
        <>
          {" "}
          <small className={`tabular ${classes.ago}`}>{ago(at, nowMs)}</small>
        </>
      ) : null}
    </time>
  );
}

/** "3 minutes ago". */
function ago(at: string, nowMs: number): string {
  const aheadMs = new Date(at).getTime() - nowMs;
  // A time since the last tick is not in the future.
  let count = (aheadMs > 0 && aheadMs <= TICK_MS ? 0 : aheadMs) / 1000;
  for (const [unit, size] of STEPS) {
    if (Math.abs(count) < size) return RELATIVE.format(Math.round(count), unit);
    count /= size;
  }
  return at;
}

/** The current time by the server's clock, from which all shown times come. */
export function useNow(): number {
  const [nowMs, setNowMs] = useState(serverNowMs);
  useEffect(() => {
    const timer = setInterval(() => setNowMs(serverNowMs()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return nowMs;
}
