const DAY_MS = 86_400_000;

/** All days of a period, oldest first. */
export function daysOf({ from, to }: { readonly from: string; readonly to: string }): string[] {
  const startMs = Date.parse(`${from}T00:00:00Z`);
  const count = Math.round((Date.parse(`${to}T00:00:00Z`) - startMs) / DAY_MS) + 1;
  return Array.from({ length: count }, (_, at) =>
    new Date(startMs + at * DAY_MS).toISOString().slice(0, 10),
  );
}

/** The starts of days as the times of a chart. */
export const timesOf = (days: readonly string[]): number[] =>
  days.map((day) => Date.parse(`${day}T00:00:00Z`) / 1000);

interface DayItem {
  readonly day: string;
  readonly currency: string;
}

/** The figures of one currency on each day of a period. Null: there are none. */
export function onDays<Item extends DayItem>(
  items: readonly Item[],
  currency: string,
  days: readonly string[],
): (Item | null)[] {
  const known = new Map(
    items.flatMap((item) => (item.currency === currency ? [[item.day, item] as const] : [])),
  );
  return days.map((day) => known.get(day) ?? null);
}
