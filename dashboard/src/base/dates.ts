/**
 * Writes and reads dates and times in the one style of the dashboard: 24 hours, the month by name,
 * so that a day cannot be mistaken for a month, and the year only if it is not the current one:
 * "31 Dec, 23:05". docs/understand/design-system.md lists the role of each function.
 */
import { messages } from "./messages.ts";
import { serverNowMs } from "./server-time.ts";
import { readerZone } from "./time-zone.ts";

type Part = Intl.DateTimeFormatPartTypes;

const OPTIONS = {
  weekday: "short",
  year: "numeric",
  month: "short",
  day: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hourCycle: "h23",
} as const;

/** By time zone, because a formatter is slow to create. */
const formats = new Map<string, Intl.DateTimeFormat>();

function partsOf(at: Date | number, zone = readerZone()): (part: Part) => string {
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat("en", { ...OPTIONS, timeZone: zone });
    formats.set(zone, format);
  }
  const parts = format.formatToParts(at);
  return (part) => parts.find(({ type }) => type === part)?.value ?? "";
}

interface TimeOptions {
  /** Where the second matters, such as in evidence. */
  readonly seconds?: boolean;
  /** Also writes the current year, for paper and fields. */
  readonly year?: boolean;
  /** A time zone such as Asia/Kolkata. By default, that of the reader. */
  readonly zone?: string;
}

type DayOptions = Pick<TimeOptions, "year">;

/** "31 Dec", with the year if it is not the current one or `year` is set. */
function dayOf(part: (part: Part) => string, year = false): string {
  const isYearShown = year || part("year") !== partsOf(serverNowMs())("year");
  return `${part("day")} ${part("month")}${isYearShown ? ` ${part("year")}` : ""}`;
}

const clockOf = (part: (part: Part) => string, seconds = false): string =>
  `${part("hour")}:${part("minute")}${seconds ? `:${part("second")}` : ""}`;

/** "31 Dec, 23:05". Text that is not a time is returned unchanged. */
export function dateTimeText(
  at: string | number,
  { seconds, year, zone }: TimeOptions = {},
): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return String(at);
  const part = partsOf(date, zone);
  return `${dayOf(part, year)}, ${clockOf(part, seconds)}`;
}

const TIME_IN_TEXT = /\b(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d)?)(?:\.\d+)?(?:Z| UTC)/g;

/** Writes each time (UTC) in a text of the server in the style and zone of the dashboard. */
export const formatTimesIn = (text: string): string =>
  text.replaceAll(TIME_IN_TEXT, (_, day: string, time: string) =>
    dateTimeText(`${day}T${time}Z`, { seconds: /:\d\d:/.test(time) }),
  );

/** "31 Dec 2026, 23:05:12 Asia/Kolkata", for the title of a shorter text. */
export const exactTimeText = (at: string | number): string =>
  `${dateTimeText(at, { seconds: true, year: true })} ${readerZone()}`;

/** "23:05". */
export const timeText = (at: string | number, { seconds }: TimeOptions = {}): string =>
  clockOf(partsOf(new Date(at)), seconds);

const DAY_MS = 86_400_000;

/** "Today", "Yesterday" or "30 Dec", as the title of a group. */
export function nearDayText(at: string, nowMs: number): string {
  const part = partsOf(new Date(at));
  const now = partsOf(nowMs);
  const day = dayOf(part, true);
  if (day === dayOf(now, true)) return messages.today;
  // A day before noon is a day earlier in all time zones with and without summer time.
  const noonMs = nowMs - Number(now("hour")) * 3_600_000 + DAY_MS / 2;
  return day === dayOf(partsOf(noonMs - DAY_MS), true) ? messages.yesterday : dayOf(part);
}

/** The parts of a date such as "2026-12-31"; null if it is no date. */
function partsOfDay(date: string): ((part: Part) => string) | null {
  const at = new Date(`${date}T00:00:00Z`);
  return Number.isNaN(at.getTime()) ? null : partsOf(at, "UTC");
}

/** Formats the date "2026-12-31" as "31 Dec". Text that is no date is returned unchanged. */
export function dateText(date: string, { year }: DayOptions = {}): string {
  const part = partsOfDay(date);
  return part ? dayOf(part, year) : date;
}

/** Formats the date "2026-12-31" as "Thu, 31 Dec". */
export function weekdayText(date: string, { year }: DayOptions = {}): string {
  const part = partsOfDay(date);
  return part ? `${part("weekday")}, ${dayOf(part, year)}` : date;
}

/** Formats the date "2026-12-31" as "31 Dec" in every year, for axes. */
export function shortDateText(date: string): string {
  const part = partsOfDay(date);
  return part ? `${part("day")} ${part("month")}` : date;
}

/** Formats "2026-12-31 09:00 Asia/Kolkata" as "Thu, 31 Dec, 09:00 Asia/Kolkata". */
export function localTimeText(says: string): string {
  const [date = "", time = "", zone = ""] = says.split(" ");
  return `${weekdayText(date)}, ${time} ${zone}`.trimEnd();
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const ISO = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{1,2}:\d{2}))?/;
const WORDS = /^(\d{1,2})\.? ([a-z]{3})[a-z]*\.?,? (\d{4})(?:,? (\d{1,2}:\d{2}))?$/i;

/**
 * Reads "31 Dec 2026", "31 December 2026" or "2026-12-31", each with or without a time.
 *
 * @returns "2026-12-31", or "2026-12-31T23:05" with `withTime`; null if the text is no date. Dates
 *   such as 01/02/2026 are none, because they have two meanings.
 */
export function readDate(text: string, withTime = false): string | null {
  const words = WORDS.exec(text.trim());
  const month = MONTHS.indexOf(words?.[2]?.toLowerCase() ?? "") + 1;
  const given = words
    ? `${words[3]}-${String(month).padStart(2, "0")}-${words[1]?.padStart(2, "0")}`
    : ISO.exec(text.trim())?.slice(1, 4).join("-");
  const time = readTime((words ?? ISO.exec(text.trim()))?.[4] ?? "0:00");
  if (given === undefined || time === null) return null;
  const at = new Date(`${given}T00:00:00Z`);
  // February 30 becomes March 2, and month 0 is no date.
  if (Number.isNaN(at.getTime()) || at.toISOString().slice(0, 10) !== given) return null;
  return withTime ? `${given}T${time}` : given;
}

/** Reads "9", "9:00", "0900" or "09:00" as "09:00"; null if the text is no time of day. */
export function readTime(text: string): string | null {
  const found = /^(\d{1,2})(?::?(\d{2}))?$/.exec(text.trim());
  if (!found) return null;
  const [hour, minute] = [Number(found[1]), Number(found[2] ?? 0)];
  if (hour > 23 || minute > 59) return null;
  return `${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}`;
}

/** Formats the value of a date field: "31 Dec 2026", or "31 Dec 2026, 23:05" with its time. */
export function dateFieldText(value: string): string {
  const [date = "", time] = value.split("T");
  const day = dateText(date, { year: true });
  return time === undefined ? day : `${day}, ${time}`;
}
