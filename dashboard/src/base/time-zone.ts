/**
 * Returns whether the browser knows the time zone. Offsets such as +05:30 are none, because they
 * have no summer time. Repeats the rule of src/schedule/calendar.ts.
 */
export function isZone(text: string): boolean {
  if (!/^[A-Za-z]/.test(text)) return false;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: text }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}
