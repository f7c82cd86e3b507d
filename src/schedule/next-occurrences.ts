import { Temporal } from "temporal-polyfill";
import { unreachable } from "#base/result.ts";
import { type Calendar, type Rule, WEEKDAYS } from "#schedule/calendar.ts";
import { localAt, type LocalMoment, momentOf } from "#schedule/local-time.ts";
import { type Holidays, workingDayFrom } from "#schedule/working-days.ts";

/**
 * One time at which a schedule is due. `day` is the day named by the rule, before it is moved to a
 * working day. It stays the same when the holidays change, so that a month is paid once even if its
 * last working day changes.
 */
export interface Occurrence extends LocalMoment {
  readonly day: string;
}

/** The position of a schedule: no occurrence at or before it is returned again. */
export interface OccurrencePosition {
  readonly day: string;
  readonly local: string;
}

const later = (one: string, other: string): string => (one > other ? one : other);

/**
 * Returns the later of two positions in each part, so that no occurrence at or before either is
 * returned again.
 */
export const laterPosition = (
  one: OccurrencePosition,
  other: OccurrencePosition,
): OccurrencePosition => ({
  day: later(one.day, other.day),
  local: later(one.local, other.local),
});

/**
 * Returns the position after the whole day of an occurrence, so that an edited time of day does not
 * add a second occurrence to this day.
 */
export const afterDayOf = ({ day, local }: OccurrencePosition): OccurrencePosition => ({
  day,
  local: `${local.slice(0, 10)}T24:00`,
});

/** More days than any day is moved. */
const MOVED_DAYS_MAX = 32;

/**
 * Returns the position of a schedule that begins now. A day in the past may still be moved to one
 * in the future.
 */
export function positionAt(now: Date, zone: string): OccurrencePosition {
  const { date, time } = localAt(now, zone);
  return {
    day: date.subtract({ days: MOVED_DAYS_MAX }).toString(),
    local: `${date.toString()}T${time}`,
  };
}

/**
 * Generates the occurrences after a position, in order, without end. Days that are moved to the
 * same working day are one occurrence: a daily schedule runs once on Monday, and not for Saturday
 * and Sunday as well.
 */
export function* occurrencesAfter(
  calendar: Calendar,
  after: OccurrencePosition,
  holidays: Holidays,
): Generator<Occurrence, undefined> {
  const { rule, time, zone, shift, holidays: currency } = calendar;
  const from = Temporal.PlainDate.from(after.day).add({ days: 1 });
  let { local: last } = after;
  for (const named of daysOf(rule, from)) {
    const day =
      rule.every === "last_working_day" || shift === "before"
        ? workingDayFrom(named, -1, currency, holidays)
        : shift === "after"
          ? workingDayFrom(named, 1, currency, holidays)
          : named;
    const moment = momentOf(day, time, zone);
    if (moment.local <= last) continue;
    last = moment.local;
    yield { day: named.toString(), ...moment };
  }
  return undefined;
}

/**
 * Generates the occurrences of a schedule that was started, resumed or edited at `since`, after its
 * last occurrence.
 */
export function* occurrencesSince(
  calendar: Calendar,
  { since, last }: { readonly since: Date; readonly last: OccurrencePosition | null },
  holidays: Holidays,
): Generator<Occurrence, undefined> {
  const begun = positionAt(since, calendar.zone);
  const place = last ? laterPosition(begun, afterDayOf(last)) : begun;
  for (const occurrence of occurrencesAfter(calendar, place, holidays)) {
    // When clocks are put back, a later local time of the repeated hour may be an earlier moment.
    if (occurrence.at > since) yield occurrence;
  }
  return undefined;
}

/**
 * Generates the days that a rule names, on or after `from`, before weekends and holidays are
 * considered.
 */
function* daysOf(rule: Rule, from: Temporal.PlainDate): Generator<Temporal.PlainDate> {
  const isDue = (date: Temporal.PlainDate) => Temporal.PlainDate.compare(date, from) >= 0;
  switch (rule.every) {
    case "once": {
      const date = Temporal.PlainDate.from(rule.date);
      if (isDue(date)) yield date;
      return;
    }
    case "day":
      for (let date = from; ; date = date.add({ days: 1 })) yield date;
    case "week": {
      const first = mondayOf(rule.from ? Temporal.PlainDate.from(rule.from) : from);
      const since = Math.max(first.until(mondayOf(from), { largestUnit: "days" }).days, 0);
      const span = 7 * rule.weeks;
      const offsets = WEEKDAYS.flatMap((name, at) => (rule.on.includes(name) ? [at] : []));
      const start = first.add({ days: Math.floor(since / span) * span });
      for (let week = start; ; week = week.add({ days: span })) {
        yield* offsets
          .map((days) => week.add({ days }))
          .filter((date) => isDue(date) && Temporal.PlainDate.compare(date, anchorOf(rule)) >= 0);
      }
    }
    case "month":
    case "month_end":
    case "last_working_day":
      for (let month = from.with({ day: 1 }); ; month = month.add({ months: 1 })) {
        const day = rule.every === "month" ? rule.on : 31;
        const date = month.with({ day });
        if (isDue(date)) yield date;
      }
    default:
      unreachable(rule);
  }
}

const mondayOf = (date: Temporal.PlainDate): Temporal.PlainDate =>
  date.subtract({ days: date.dayOfWeek - 1 });

/** No occurrence precedes the day from which the weeks are counted. */
const anchorOf = ({ from = "0001-01-01" }: { readonly from?: string | undefined }) =>
  Temporal.PlainDate.from(from);
