import { Temporal } from "temporal-polyfill";
import { isZone } from "#schedule/calendar.ts";

/** A moment, and its local time in a zone: "2026-12-31T09:00". */
export interface LocalMoment {
  readonly local: string;
  readonly zone: string;
  readonly at: Date;
}

/**
 * Returns the moment of a local time in a zone. A time that occurs twice, when clocks are put back,
 * means the first occurrence. A time that is skipped, when clocks are put forward, becomes the
 * first moment after the gap, and `local` states that moment.
 */
export function momentOf(date: Temporal.PlainDate, time: string, zone: string): LocalMoment {
  const wanted = date.toPlainDateTime(time);
  const found = wanted.toZonedDateTime(zone, { disambiguation: "compatible" });
  if (found.toPlainDateTime().equals(wanted)) return localMomentAt(found);
  // One millisecond later: for the first minute of a gap, `found` is the end of the gap itself.
  return localMomentAt(found.add({ milliseconds: 1 }).getTimeZoneTransition("previous") ?? found);
}

const localMomentAt = (moment: Temporal.ZonedDateTime): LocalMoment => ({
  local: moment.toPlainDateTime().toString({ smallestUnit: "minute" }),
  zone: moment.timeZoneId,
  at: new Date(moment.epochMilliseconds),
});

/** Returns the local date and time of a zone at this moment. */
export function localAt(at: Date, zone: string): { date: Temporal.PlainDate; time: string } {
  const there = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(zone);
  return {
    date: there.toPlainDate(),
    time: there.toPlainTime().toString({ smallestUnit: "minute" }),
  };
}

/** Reads "2026-12-31 09:00 Asia/Kolkata". Null: not in this form. */
export function readMoment(text: string): LocalMoment | null {
  const [, date = "", time = "", zone = ""] =
    /^(\d{4}-\d\d-\d\d)[ T]((?:[01]\d|2[0-3]):[0-5]\d) (\S+)$/.exec(text.trim()) ?? [];
  if (!isZone(zone)) return null;
  try {
    return momentOf(Temporal.PlainDate.from(date, { overflow: "reject" }), time, zone);
  } catch {
    return null;
  }
}

/**
 * Reads a moment that is the same on every machine: in the form of `readMoment`, or ISO 8601 with Z
 * or an offset. Null: neither.
 */
export function readInstant(text: string): Date | null {
  const moment = readMoment(text);
  if (moment) return moment.at;
  try {
    return new Date(Temporal.Instant.from(text.trim()).epochMilliseconds);
  } catch {
    return null;
  }
}

/** Formats a moment for people, in the form of `readMoment`. */
export const momentText = ({ local, zone }: Pick<LocalMoment, "local" | "zone">): string =>
  `${local.replace("T", " ")} ${zone}`;
