/** `YYYY-MM-DD HH:MM:SS`, also with the T of ISO 8601. */
const AT = /^(\d{4})-(\d{2})-(\d{2})[ T](\d{2}):(\d{2}):(\d{2})$/;
/** `GMT+05:30`; a sign that was lost on the way is a plus, because a form decoder makes a blank of it. */
const ZONE = /^(?:GMT|UTC) ?([+-]?)(\d{1,2}):?(\d{2})$/i;
const GREENWICH = /^(?:GMT|UTC|Z)$/i;
const MINUTES_EAST_MAX = 14 * 60;
const MINUTES_WEST_MAX = 12 * 60;

/**
 * The moment that `expired_at` names in its `expired_timezone` (specification, Deposit response), in epoch
 * milliseconds. The label is an offset, so no daylight-saving rule of any place is asked, ours least of all. Null when
 * either cannot be read, or names no moment of the calendar.
 */
export function expiryMs(at: string, timezone: string): number | null {
  const offsetMinutes = offsetOf(timezone.trim());
  const parts = AT.exec(at.trim())?.slice(1).map(Number);
  if (offsetMinutes === null || parts === undefined) return null;

  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts;
  const localMs = Date.UTC(year, month - 1, day, hour, minute, second);
  // What is no date (30 February) rolls over into another one.
  const isReal = new Date(localMs).toISOString().slice(0, 19) === isoOf(at.trim());
  return isReal ? localMs - offsetMinutes * 60_000 : null;
}

const isoOf = (at: string): string => at.replace(" ", "T");

function offsetOf(label: string): number | null {
  if (GREENWICH.test(label)) return 0;
  const [, sign, hours = "", minutes = ""] = ZONE.exec(label) ?? [];
  if (sign === undefined || Number(minutes) > 59) return null;
  const offset = Number(hours) * 60 + Number(minutes);
  if (sign === "-") return offset <= MINUTES_WEST_MAX ? -offset : null;
  return offset <= MINUTES_EAST_MAX ? offset : null;
}
