/** A time for people, in the order of ISO 8601 and in UTC: "2026-12-31 23:05 UTC". */
export const timeText = (at: Date | string): string => `${minuteText(at)} UTC`;

/** The same in a column whose title names the zone: "2026-12-31 23:05". */
export const minuteText = (at: Date | string): string =>
  (typeof at === "string" ? at : at.toISOString()).slice(0, 16).replace("T", " ");
