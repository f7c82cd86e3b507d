/** Conversions between moments and local times of the reader, such as "2026-12-31T23:05". */
import { readerZone } from "./time-zone.ts";

const DAY_MS = 86_400_000;

/** By time zone, because a formatter is slow to create. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** A moment in the reader's time zone: "2026-12-31T23:05:12". */
function localTime(atMs: number): string {
  const zone = readerZone();
  let format = formats.get(zone);
  if (!format) {
    // Sweden writes dates in the order of ISO 8601.
    format = new Intl.DateTimeFormat("sv", {
      timeZone: zone,
      dateStyle: "short",
      timeStyle: "medium",
    });
    formats.set(zone, format);
  }
  return format.format(atMs).replace(" ", "T");
}

/** The day of a moment in the reader's time zone: "2026-12-31". */
export const localDay = (atMs: number): string => localTime(atMs).slice(0, 10);

/** The lead of the local time over UTC, in milliseconds. */
const offsetMs = (atMs: number): number =>
  Date.parse(`${localTime(atMs)}Z`) - Math.floor(atMs / 1_000) * 1_000;

/**
 * The moment of a local time in UTC: "2026-12-31T17:35:00.000Z". A local time that occurs twice is
 * the first one, and one that the clocks skip becomes the time that they show instead. Text that is
 * no time is returned unchanged.
 */
export function toUtc(local: string): string {
  const asUtcMs = Date.parse(`${local}Z`);
  if (Number.isNaN(asUtcMs)) return local;
  const [beforeMs, afterMs] = [offsetMs(asUtcMs - DAY_MS), offsetMs(asUtcMs + DAY_MS)];
  const isAfter =
    offsetMs(asUtcMs - beforeMs) !== beforeMs && offsetMs(asUtcMs - afterMs) === afterMs;
  return new Date(asUtcMs - (isAfter ? afterMs : beforeMs)).toISOString();
}

/** The local time of a moment, as forms expect it: "2026-12-31T23:05". Empty if there is none. */
export function toLocal(utc: string | undefined): string {
  const atMs = Date.parse(utc ?? "");
  return Number.isNaN(atMs) ? "" : localTime(atMs).slice(0, 16);
}

/** The date some days after another one: "2026-12-31". Text that is no date is unchanged. */
export function addDays(day: string, days: number): string {
  const atMs = Date.parse(`${day}T00:00Z`);
  return Number.isNaN(atMs) ? day : new Date(atMs + days * DAY_MS).toISOString().slice(0, 10);
}

/**
 * The first moment of a day in the reader's time zone, or of a later day, in UTC. Text that is not
 * a day is returned unchanged.
 */
export function startOfDay(day: string, daysLater = 0): string {
  const start = `${addDays(day, daysLater)}T00:00`;
  const utc = toUtc(start);
  return utc === start ? day : utc;
}
