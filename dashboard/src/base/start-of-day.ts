/**
 * The first moment of a day in the reader's time zone, or of a later day, in UTC. Text that is
 * not a day is returned unchanged.
 */
export function startOfDay(day: string, daysLater = 0): string {
  const date = new Date(`${day}T00:00`);
  date.setDate(date.getDate() + daysLater);
  return Number.isNaN(date.getTime()) ? day : date.toISOString();
}
