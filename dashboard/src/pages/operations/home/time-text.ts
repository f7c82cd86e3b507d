import { weekdayText } from "../../../base/dates.ts";
import { messages } from "./messages.tsx";

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1_440;

/** A duration as people say it: "42 min", "3 h 12 min", "5 days". */
export function durationText(ms: number): string {
  const minutes = Math.max(0, Math.round(ms / MINUTE_MS));
  if (minutes < 60) return messages.minutes(minutes);
  if (minutes < 2 * DAY_MINUTES) return messages.hours(Math.floor(minutes / 60), minutes % 60);
  return messages.days(Math.floor(minutes / DAY_MINUTES));
}

/** The time since a moment. */
export const sinceText = (at: string, nowMs: number): string =>
  durationText(nowMs - Date.parse(at));

/** "2026-12-31 09:00 Asia/Kolkata" in parts, with the day as "Thu, 31 Dec 2026". */
export function localParts(says: string) {
  const [date = "", time = "", zone = ""] = says.split(" ");
  return { day: weekdayText(date), time, zone };
}
