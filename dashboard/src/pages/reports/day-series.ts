const DAY_MS = 86_400_000;

/** All days of a period, oldest first. */
function daysOf({ from, to }: { readonly from: string; readonly to: string }): string[] {
  const startMs = Date.parse(`${from}T00:00:00Z`);
  const count = Math.round((Date.parse(`${to}T00:00:00Z`) - startMs) / DAY_MS) + 1;
  return Array.from({ length: count }, (_, at) =>
    new Date(startMs + at * DAY_MS).toISOString().slice(0, 10),
  );
}

interface DayItem {
  readonly day: string;
  readonly currency: string;
}

/**
 * The days of a chart of one currency, oldest first: they begin at its first day with figures.
 * `since` is that day if the chart leaves out earlier days, and null otherwise.
 */
export function chartDays(
  report: { readonly from: string; readonly to: string; readonly items: readonly DayItem[] },
  currency: string,
): { readonly days: readonly string[]; readonly since: string | null } {
  const all = daysOf(report);
  const known = new Set(
    report.items.flatMap((item) => (item.currency === currency ? [item.day] : [])),
  );
  const first = Math.max(
    0,
    all.findIndex((day) => known.has(day)),
  );
  return { days: all.slice(first), since: first === 0 ? null : (all[first] ?? null) };
}

/** The starts of days as the times of a chart. */
export const timesOf = (days: readonly string[]): number[] =>
  days.map((day) => Date.parse(`${day}T00:00:00Z`) / 1000);

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
