import type { Expiry } from "#deposit/outcome.ts";

/** `YYYY-MM-DD HH:MM:SS`, also with the T of ISO 8601. */
const AT = /^(\d{4})-(\d{2})-(\d{2})[ T](\d{2}):(\d{2}):(\d{2})$/;
/**
 * The end of an ISO 8601 time with fractional seconds and its own zone, which replaces the label.
 */
const IN_UTC = /(?:\.\d{1,9})?Z$/;
/** Unix time of this century in seconds or milliseconds. */
const EPOCH = /^1\d{9}(?:\d{3})?$/;
/** Matches anything that a person could read as a date or time. */
const DATE_OR_CLOCK = /\d[-:/]\d/;
/** `GMT+05:30`. A missing sign is a plus, because a form decoder turns it into a space. */
const ZONE = /^(?:GMT|UTC) ?([+-]?)(\d{1,2}):?(\d{2})$/i;
const UTC_LABEL = /^(?:GMT|UTC|Z)$/i;
const MINUTES_EAST_MAX = 14 * 60;
const MINUTES_WEST_MAX = 12 * 60;

/**
 * Returns the payment deadline to show to the payer. Null: not even a person could read a time in
 * it.
 */
export function readExpiry(written: string, label: string): Expiry | null {
  const text = written.trim();
  if (EPOCH.test(text)) {
    const atMs = Number(text) * (text.length === 10 ? 1_000 : 1);
    const at = new Date(atMs).toISOString().slice(0, 19).replace("T", " ");
    return { at, timezone: "GMT+00:00", atMs };
  }
  const at = text.replace(IN_UTC, "");
  const timezone = text.endsWith("Z") ? "GMT+00:00" : label;
  return DATE_OR_CLOCK.test(at) ? { at, timezone, atMs: expiryMs(at, timezone) } : null;
}

/**
 * Returns the time of `expired_at` in its `expired_timezone` (specification, Deposit response), in
 * Unix milliseconds. The label is an offset, so no daylight-saving rules apply, least of all those
 * of this machine. Null: one of them cannot be read, or they name a time that does not exist.
 */
export function expiryMs(at: string, timezone: string): number | null {
  const offsetMinutes = offsetOf(timezone.trim());
  const localMs = localMsOf(at.trim());
  return offsetMinutes === null || localMs === null ? null : localMs - offsetMinutes * 60_000;
}

/** Returns the time as if it were in UTC. */
function localMsOf(at: string): number | null {
  const parts = AT.exec(at)?.slice(1).map(Number);
  if (parts === undefined) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts;
  const localMs = Date.UTC(year, month - 1, day, hour, minute, second);
  // An invalid date (30 February) rolls over into another one.
  return new Date(localMs).toISOString().slice(0, 19) === isoOf(at) ? localMs : null;
}

const isoOf = (at: string): string => at.replace(" ", "T");

function offsetOf(label: string): number | null {
  if (UTC_LABEL.test(label)) return 0;
  const [, sign, hours = "", minutes = ""] = ZONE.exec(label) ?? [];
  if (sign === undefined || Number(minutes) > 59) return null;
  const offset = Number(hours) * 60 + Number(minutes);
  if (sign === "-") return offset <= MINUTES_WEST_MAX ? -offset : null;
  return offset <= MINUTES_EAST_MAX ? offset : null;
}
