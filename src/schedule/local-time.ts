import { Temporal } from "temporal-polyfill";
import { isZone } from "#schedule/calendar.ts";

/** A moment, and how it reads on the clocks of a zone: "2026-12-31T09:00". */
export interface LocalMoment {
  readonly local: string;
  readonly zone: string;
  readonly at: Date;
}

/**
 * The moment at which the clocks of the zone show this. Twice, when they are put back: the first time. Never, when
 * they are put forward over it: the first moment after the gap, and that is what `local` says then.
 */
export function momentOf(date: Temporal.PlainDate, time: string, zone: string): LocalMoment {
  const wanted = date.toPlainDateTime(time);
  const found = wanted.toZonedDateTime(zone, { disambiguation: "compatible" });
  if (found.toPlainDateTime().equals(wanted)) return momentAt(found);
  // A moment later: of the first minute of a gap, `found` is the end of the gap itself.
  return momentAt(found.add({ milliseconds: 1 }).getTimeZoneTransition("previous") ?? found);
}

const momentAt = (moment: Temporal.ZonedDateTime): LocalMoment => ({
  local: moment.toPlainDateTime().toString({ smallestUnit: "minute" }),
  zone: moment.timeZoneId,
  at: new Date(moment.epochMilliseconds),
});

/** What the clocks of the zone show at this moment. */
export function localAt(at: Date, zone: string): { date: Temporal.PlainDate; time: string } {
  const there = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(zone);
  return {
    date: there.toPlainDate(),
    time: there.toPlainTime().toString({ smallestUnit: "minute" }),
  };
}

/** Reads "2026-12-31 09:00 Asia/Kolkata"; null: it is no such time. */
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

/** Reads a moment that is the same on every machine: as `readMoment` does, or ISO 8601 with Z or an offset. */
export function readInstant(text: string): Date | null {
  const moment = readMoment(text);
  if (moment) return moment.at;
  try {
    return new Date(Temporal.Instant.from(text.trim()).epochMilliseconds);
  } catch {
    return null;
  }
}

/** As people read it, and as `readMoment` does. */
export const momentText = ({ local, zone }: Pick<LocalMoment, "local" | "zone">): string =>
  `${local.replace("T", " ")} ${zone}`;
