import { z } from "zod";
import { CURRENCY_CODE } from "#money/currency.ts";

/** The days of the week in the order of ISO 8601: Monday is 1. */
export const WEEKDAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
export type Weekday = (typeof WEEKDAYS)[number];

const Day = z.iso.date();
const Weekdays = z.array(z.enum(WEEKDAYS)).min(1).max(7);
const EVERY_WEEKS_MAX = 52;

/**
 * The days of a schedule. A new rule needs a line here, one in occurrences.ts and one in
 * sentence.ts.
 */
const Rule = z.discriminatedUnion("every", [
  z.strictObject({ every: z.literal("once"), date: Day }),
  z.strictObject({ every: z.literal("day") }),
  /** Weeks begin on Monday. With every n weeks, the week of `from` is the first. */
  z.strictObject({
    every: z.literal("week"),
    on: Weekdays,
    weeks: z.number().int().min(1).max(EVERY_WEEKS_MAX).default(1),
    from: Day.optional(),
  }),
  /** In a month that is shorter than the day, the last day. */
  z.strictObject({ every: z.literal("month"), on: z.number().int().min(1).max(31) }),
  z.strictObject({ every: z.literal("month_end") }),
  z.strictObject({ every: z.literal("last_working_day") }),
]);
export type Rule = z.output<typeof Rule>;

/** The handling of a day that is not a working day. */
export const SHIFTS = ["none", "before", "after"] as const;

/** The rule of a schedule: days, a time of the day, and the zone of that time. */
export const Calendar = z
  .strictObject({
    rule: Rule,
    /** "09:00": local time of the zone. */
    time: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, "a time such as 09:00"),
    zone: z.string().max(60).refine(isZone, "a time zone such as Asia/Kolkata"),
    /**
     * The currency whose holidays and weekend apply. Null: no holidays, and a weekend of Saturday
     * and Sunday.
     */
    holidays: z.string().regex(CURRENCY_CODE, "a currency such as INR").nullable().default(null),
    shift: z.enum(SHIFTS).default("none"),
  })
  .refine(({ rule }) => rule.every !== "week" || rule.weeks === 1 || rule.from !== undefined, {
    path: ["rule", "from"],
    message: "a date in the first week, if weeks is above 1",
  });
export type Calendar = z.output<typeof Calendar>;

/** Returns whether two calendars are the same, whatever the order of their stored fields. */
export const isSameCalendar = (one: Calendar, other: Calendar): boolean =>
  JSON.stringify(Calendar.parse(one)) === JSON.stringify(Calendar.parse(other));

/**
 * Returns whether the text names a zone of the tz database. Offsets are refused, because they have
 * no summer time.
 */
export function isZone(text: string): boolean {
  if (!/^[A-Za-z]/.test(text)) return false;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: text }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}
