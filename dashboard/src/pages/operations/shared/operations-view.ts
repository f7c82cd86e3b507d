import type { Answer } from "../../../server/client.ts";
import { messages } from "./messages.ts";

/** The data of the operations page. */
export type OperationsView = Answer<"GET /api/operations">;

/** A lane as the operations page shows it. */
export type LaneView = OperationsView["lanes"][number];

/** The pause of a lane, by whom and until when. */
export type LanePause = NonNullable<LaneView["pause"]>;

/** An active alarm with its explanation. */
export type Alarm = OperationsView["alarms"][number];

const { ages } = messages;

const NUMBER = new Intl.NumberFormat();

/** "1,204", or "10,000+" if counting stopped there. */
export const countText = (count: number, isMore = false): string =>
  `${NUMBER.format(count)}${isMore ? "+" : ""}`;

/** Returns "1 payout", "1,204 payouts", or "10,000+ payouts" if counting stopped there. */
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
