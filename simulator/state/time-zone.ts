/** Format of expiry times. */
export interface ZoneLabel {
  readonly label: string;
  readonly offsetMinutes: number;
}

const LABEL = /^GMT([+ -])(\d{2}):(\d{2})$/;

/** `GMT+05:30`, or `GMT 05:30` as the specification writes it; null for anything else. */
export function zoneOf(label: string): ZoneLabel | null {
  const [, sign, hours, minutes] = LABEL.exec(label) ?? [];
  if (sign === undefined) return null;
  const offset = Number(hours) * 60 + Number(minutes);
  return { label, offsetMinutes: sign === "-" ? -offset : offset };
}
