import { useEffect, useState } from "react";
import { serverNowMs } from "../base/server-time.ts";
import classes from "./timestamp.module.css";

const ABSOLUTE = new Intl.DateTimeFormat(undefined, {
  year: "numeric",
  month: "short",
  day: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  timeZoneName: "short",
});
/** For columns of a list: to the minute, without the zone. */
const SHORT = new Intl.DateTimeFormat(undefined, {
  year: "numeric",
  month: "short",
  day: "numeric",
  hour: "2-digit",
  minute: "2-digit",
});
const RELATIVE = new Intl.RelativeTimeFormat(undefined, { numeric: "auto" });
const STEPS = [
  ["second", 60],
  ["minute", 60],
  ["hour", 24],
  ["day", Number.POSITIVE_INFINITY],
] as const;
const TICK_MS = 15_000;

/**
 * A time with its zone, then the time since then. The absolute time comes first, because "2 hours
 * ago" gets outdated.
 */
export function Timestamp({
  at,
  relative = true,
}: {
  readonly at: string | null;
  readonly relative?: boolean;
}) {
  const nowMs = useNow();
  if (at === null) return <span>–</span>;
  return (
    <time dateTime={at} className={classes.when}>
      <span className="tabular">{ABSOLUTE.format(new Date(at))}</span>
      {relative ? (
        <>
          {" "}
          <small className={`tabular ${classes.ago}`}>{ago(at, nowMs)}</small>
        </>
      ) : null}
    </time>
  );
}

/** A time to the minute. Its title has the seconds and the zone. */
export const ShortTimestamp = ({ at }: { readonly at: string | null }) =>
  at === null ? (
    <span>–</span>
  ) : (
    <time dateTime={at} title={ABSOLUTE.format(new Date(at))} className={classes.when}>
      <span className="tabular">{SHORT.format(new Date(at))}</span>
    </time>
  );

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
