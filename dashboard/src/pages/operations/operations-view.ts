import type { Answer } from "../../server/client.ts";
import { messages } from "./messages.ts";

export type OperationsView = Answer<"GET /api/operations">;
export type LaneView = OperationsView["lanes"][number];
export type LanePause = NonNullable<LaneView["pause"]>;
export type Alarm = OperationsView["alarms"][number];

const { ages } = messages;

const NUMBER = new Intl.NumberFormat();

/** "1,204", or "10,000+" if counting stopped there. */
export const countText = (count: number, isMore = false): string =>
  `${NUMBER.format(count)}${isMore ? "+" : ""}`;

export const payoutsText = (count: number, isMore = false): string =>
  messages.payouts(countText(count, isMore), count === 1 && !isMore);

/** The time since then: "12 s", "4 min", "3 h", "2 d". */
export function ageText(at: string, nowMs: number): string {
  const seconds = Math.max(0, Math.round((nowMs - Date.parse(at)) / 1_000));
  if (seconds < 90) return ages.seconds(seconds);
  const minutes = Math.round(seconds / 60);
  if (minutes < 90) return ages.minutes(minutes);
  const hours = Math.round(minutes / 60);
  return hours < 48 ? ages.hours(hours) : ages.days(Math.round(hours / 24));
}
