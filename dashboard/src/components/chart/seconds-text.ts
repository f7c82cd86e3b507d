import { messages } from "./messages.ts";

/** "41 s", "2 min 46 s", "3 h 5 min". */
function secondsText(seconds: number): string {
  if (seconds < 60) return messages.seconds(seconds);
  if (seconds < 3_600) return messages.minutes(Math.floor(seconds / 60), seconds % 60);
  return messages.hours(Math.floor(seconds / 3_600), Math.floor((seconds % 3_600) / 60));
}

/** The server's value for durations over seven days. */
export const UNBOUNDED_SECONDS = 2_147_483_647;

/** A duration of which only the upper bound is known: "≤ 41 s", or "over 7 days". */
export const atMostText = (seconds: number): string =>
  seconds >= UNBOUNDED_SECONDS ? messages.overSevenDays : messages.atMost(secondsText(seconds));

const MINUTE_S = 60;
const HOUR_S = 3_600;

/** A whole number of hours, minutes or seconds: "3 h", "2 min", "41 s". */
export function shortSecondsText(seconds: number): string {
  if (seconds >= HOUR_S && seconds % HOUR_S === 0) return messages.wholeHours(seconds / HOUR_S);
  if (seconds >= MINUTE_S && seconds % MINUTE_S === 0)
    return messages.wholeMinutes(seconds / MINUTE_S);
  return messages.seconds(seconds);
}
