import { Temporal } from "temporal-polyfill";
import { momentOf } from "#schedule/local-time.ts";

const TIME =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.\d{1,9})?)?)?\s?(Z|UTC|[+-]\d\d:?\d\d)?$/i;

const HOUR_MS = 3_600_000;
const HOURS_KEPT = 1_000;

/**
 * Creates a reader of times such as "2026-11-26 09:30:00" in a zone, or with a zone of their own. A
 * date alone is the start of its day. The reader returns null for anything else.
 */
export function timeReader(zone: string): (text: string) => Date | null {
  const hours = new Map<string, number>();
  /** Returns the start of a local hour. Statements repeat the same few hours. */
  const hourOf = (date: string, hour: string): number => {
    const key = `${date} ${hour}`;
    const known = hours.get(key);
    if (known !== undefined) return known;
    const day = Temporal.PlainDate.from(date, { overflow: "reject" });
    const start = momentOf(day, `${hour}:00`, zone).at.getTime();
    if (hours.size >= HOURS_KEPT) hours.clear();
    hours.set(key, start);
    return start;
  };
  return (text) => {
    const [, year, month, day, hour = "00", minute = "00", second = "00", offset] =
      TIME.exec(text) ?? [];
    if (year === undefined || !isKnownYear(year)) return null;
    if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null;
    const date = `${year}-${month}-${day}`;
    const withinHour = (Number(minute) * 60 + Number(second)) * 1_000;
    try {
      if (offset === undefined) return new Date(hourOf(date, hour) + withinHour);
      Temporal.PlainDate.from(date, { overflow: "reject" });
      const utc = Date.parse(`${date}T${hour}:00:00Z`) + withinHour;
      return new Date(utc - offsetMs(offset));
    } catch {
      return null;
    }
  };
}

function offsetMs(offset: string): number {
  const [, sign, hours = "0", minutes = "0"] = /^([+-])(\d\d):?(\d\d)$/.exec(offset) ?? [];
  const ms = Number(hours) * HOUR_MS + Number(minutes) * 60_000;
  return sign === "-" ? -ms : ms;
}

/** The years of payments. The database and Temporal disagree on the calendar of distant years. */
const isKnownYear = (year: string): boolean => year >= "1970" && year < "3000";

/** Returns whether a text is a date of the years 1970 to 2999 such as "2026-11-26". */
export function isDay(text: string): boolean {
  if (!isKnownYear(text.slice(0, 4))) return false;
  try {
    return Temporal.PlainDate.from(text, { overflow: "reject" }).toString() === text;
  } catch {
    return false;
  }
}

/** The business day of a zone: from its local midnight to the next. */
export function businessDay(day: string, zone: string): { readonly from: Date; readonly to: Date } {
  const date = Temporal.PlainDate.from(day, { overflow: "reject" });
  return {
    from: momentOf(date, "00:00", zone).at,
    to: momentOf(date.add({ days: 1 }), "00:00", zone).at,
  };
}

/** Returns the number of days from one date to a later one. */
export const daysBetween = (from: string, to: string): number =>
  Temporal.PlainDate.from(from).until(to, { largestUnit: "days" }).days;

/** Returns the date that is a number of days later: "2026-11-27" for one day after "2026-11-26". */
export const daysAfter = (day: string, days: number): string =>
  Temporal.PlainDate.from(day).add({ days }).toString();
