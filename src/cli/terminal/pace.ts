import type { Clock } from "#base/clock.ts";

/** Milliseconds of recent progress from which the rate is calculated. */
const WINDOW_MS = 10_000;
/** Milliseconds without which a rate is a guess. */
const MEASURED_MS = 2_000;

/**
 * Measures the recent rate of work. The result is called with the work done so far, and returns the
 * units per second. Null: the rate is not known yet.
 */
export function rateMeter(clock: Pick<Clock, "monotonicMs">): (done: number) => number | null {
  let samples: { readonly atMs: number; readonly done: number }[] = [];
  return (done) => {
    const atMs = clock.monotonicMs();
    samples = [...samples.filter((sample) => atMs - sample.atMs <= WINDOW_MS), { atMs, done }];
    const [first] = samples;
    if (!first || atMs - first.atMs < MEASURED_MS) return null;
    return ((done - first.done) * 1_000) / (atMs - first.atMs);
  };
}

/** Formats a rate, such as "1,200/s" or "30/min". Empty: there is none. */
export function rateText(perSecond: number | null): string {
  if (perSecond === null || perSecond <= 0) return "";
  const [rate, unit] = perSecond < 1 ? [perSecond * 60, "min"] : [perSecond, "s"];
  return `${Math.ceil(rate).toLocaleString("en")}/${unit}`;
}

/** Formats the time that the rest takes at this rate, such as "3 min left". Empty: unknown. */
export function timeLeftText(left: number, perSecond: number | null): string {
  if (perSecond === null || perSecond <= 0 || left <= 0) return "";
  const seconds = Math.ceil(left / perSecond);
  if (seconds < 60) return `${seconds} s left`;
  if (seconds < 3_600) return `${Math.round(seconds / 60)} min left`;
  return `${Math.round(seconds / 360) / 10} h left`;
}
