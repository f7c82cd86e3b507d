interface Results {
  readonly day: string;
  readonly settled: number;
  readonly declined: number;
}

/**
 * The last days, of which the leading ones without results are left out, because they would be an
 * empty area of a chart. `since` is the first day if days are left out, and null otherwise.
 */
export function chartDays<Day extends Results>(
  days: readonly Day[],
  count: number,
): { readonly shown: readonly Day[]; readonly since: string | null } {
  const last = days.slice(-count);
  const first = last.findIndex(({ settled, declined }) => settled + declined > 0);
  const shown = last.slice(Math.max(0, first));
  return { shown, since: first > 0 ? (shown[0]?.day ?? null) : null };
}
