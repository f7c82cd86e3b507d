const DAY = new Intl.DateTimeFormat(undefined, {
  weekday: "short",
  year: "numeric",
  month: "short",
  day: "numeric",
  timeZone: "UTC",
});

/** Formats the date "2026-12-31" as "Thu, 31 Dec 2026". */
export const dateText = (date: string): string => DAY.format(new Date(`${date}T00:00:00Z`));

/** Formats "2026-12-31 09:00 Asia/Kolkata" as "Thu, 31 Dec 2026, 09:00 Asia/Kolkata". */
export function localTimeText(says: string): string {
  const [date = "", time = "", zone = ""] = says.split(" ");
  return `${dateText(date)}, ${time} ${zone}`;
}
