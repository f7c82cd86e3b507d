/** The first moment of a day of the reader's own calendar, or of one after it, in UTC. What is no day stays as it is. */
export function startOfDay(day: string, daysLater = 0): string {
  const date = new Date(`${day}T00:00`);
  date.setDate(date.getDate() + daysLater);
  return Number.isNaN(date.getTime()) ? day : date.toISOString();
}
