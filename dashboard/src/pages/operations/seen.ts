import type { Answer } from "../../client.ts";

export type Seen = Answer<"GET /api/operations">;
export type SeenLane = Seen["lanes"][number];
export type SeenPause = NonNullable<SeenLane["pause"]>;
export type Alarm = Seen["alarms"][number];

const NUMBER = new Intl.NumberFormat();

/** "1,204", or "10,000+" if counting stopped there. */
export const countText = (count: number, isMore = false): string =>
  `${NUMBER.format(count)}${isMore ? "+" : ""}`;

export const payoutsText = (count: number, isMore = false): string =>
  `${countText(count, isMore)} ${count === 1 && !isMore ? "payout" : "payouts"}`;

/** The time since then: "12 s", "4 min", "3 h", "2 d". */
export function ageText(at: string, nowMs: number): string {
  const seconds = Math.max(0, Math.round((nowMs - Date.parse(at)) / 1_000));
  if (seconds < 90) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 90) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} d`;
}
