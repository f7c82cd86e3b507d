import { z } from "zod";
import { CURRENCY_CODE } from "#money/currency.ts";

/** The days of the week as ISO 8601 counts them: Monday is 1. */
export const WEEKDAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
export type Weekday = (typeof WEEKDAYS)[number];

const Day = z.iso.date();
const Weekdays = z.array(z.enum(WEEKDAYS)).min(1).max(7);
const EVERY_WEEKS_MAX = 52;

/** On which days. A new rule is a line here, one in occurrences.ts and one in sentence.ts. */
const Rule = z.discriminatedUnion("every", [
  z.strictObject({ every: z.literal("once"), date: Day }),
  z.strictObject({ every: z.literal("day") }),
  /** Weeks begin on Monday; of every n weeks the first is the one that `from` is in. */
  z.strictObject({
    every: z.literal("week"),
    on: Weekdays,
    weeks: z.number().int().min(1).max(EVERY_WEEKS_MAX).default(1),
    from: Day.optional(),
  }),
  /** Where a month is shorter than the day, its last day. */
  z.strictObject({ every: z.literal("month"), on: z.number().int().min(1).max(31) }),
  z.strictObject({ every: z.literal("month_end") }),
  z.strictObject({ every: z.literal("last_working_day") }),
]);
export type Rule = z.output<typeof Rule>;

/** What becomes of a day that is no working day. */
export const SHIFTS = ["none", "before", "after"] as const;

/** When something happens again and again: days, a time of the day, and where that time is meant. */
export const Calendar = z
  .strictObject({
    rule: Rule,
    /** "09:00": what the clocks on the wall of the zone show. */
    time: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, "a time such as 09:00"),
    zone: z.string().max(60).refine(isZone, "a time zone such as Asia/Kolkata"),
    /** Whose holidays and weekend count; null: every day is like any other, but for a weekend of Saturday and Sunday. */
    holidays: z.string().regex(CURRENCY_CODE, "a currency such as INR").nullable().default(null),
    shift: z.enum(SHIFTS).default("none"),
  })
  .refine(({ rule }) => rule.every !== "week" || rule.weeks === 1 || rule.from !== undefined, {
    path: ["rule", "from"],
    message: "every n weeks counts from the week of a day: say which",
  });
export type Calendar = z.output<typeof Calendar>;

/** Whether it names a zone of the tz database. An offset is none: it knows of no summer. */
export function isZone(text: string): boolean {
  if (!/^[A-Za-z]/.test(text)) return false;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: text }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}
