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

/** Zones that browsers still name as they were named before. */
const RENAMED: Readonly<Record<string, string>> = {
  "Asia/Calcutta": "Asia/Kolkata",
  "Asia/Katmandu": "Asia/Kathmandu",
  "Asia/Rangoon": "Asia/Yangon",
  "Asia/Saigon": "Asia/Ho_Chi_Minh",
  "Europe/Kiev": "Europe/Kyiv",
};
const currentName = (zone: string): string => RENAMED[zone] ?? zone;

const browserZone = currentName(new Intl.DateTimeFormat().resolvedOptions().timeZone);

let chosenZone: string | null = null;

/** Sets the time zone that the reader chose in their profile. Null: that of the browser. */
export function setReaderZone(zone: string | null): void {
  // A browser may not know a zone that the server knows.
  chosenZone = zone !== null && isZone(zone) ? zone : null;
}

/** Returns the time zone in which the dashboard shows times. */
export const readerZone = (): string => chosenZone ?? browserZone;

/** Zones such as Etc/GMT+5, whose name has the opposite sign of their offset. */
const isOffsetName = (zone: string): boolean => zone.startsWith("Etc/");

/**
 * Returns the time zones that the browser knows: that of the reader, UTC, and then the others by
 * name.
 */
export const allZones = (): readonly string[] => [
  ...new Set(
    [readerZone(), "UTC", ...Intl.supportedValuesOf("timeZone").map(currentName)].filter(
      (zone) => !isOffsetName(zone),
    ),
  ),
];

/** "Asia/Kolkata (GMT+5:30)": a time zone with its offset at a time. */
export function zoneLabel(zone: string, atMs: number): string {
  if (zone === "UTC" || !isZone(zone)) return zone;
  const offset = new Intl.DateTimeFormat("en-GB", { timeZone: zone, timeZoneName: "shortOffset" })
    .formatToParts(atMs)
    .find(({ type }) => type === "timeZoneName")?.value;
  return offset === undefined ? zone : `${zone} (${offset})`;
}
