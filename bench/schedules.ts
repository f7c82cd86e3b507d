/**
 * Lateness of the last of many schedules that are due at the same time, with the product's own
 * workers and queue.
 */
import { sql } from "kysely";
import { startWorkers } from "#workers/workers.ts";
import { openEmbedded, scratch } from "./support.ts";

/** Time in milliseconds until the workers tick. */
const WARM_UP_MS = 15_000;
const PATIENCE_MS = 10_000;
const LOOK_MS = 20;

/** Measures how late the last of this many schedules is, in milliseconds. */
export async function measureSchedules(count: number): Promise<number> {
  const folder = scratch();
  const payrun = await openEmbedded(folder);
  const { database } = payrun;
  const calendar = {
    rule: { every: "day" },
    time: "09:00",
    zone: "Asia/Kolkata",
    holidays: null,
    shift: "none",
  };
  const workers = startWorkers(payrun);
  await sql`
    with made as (
      insert into schedules (id, name, calendar, source, lead_hours, grace_hours, expires_hours, maker)
      select 'SC' || n, 'many', ${JSON.stringify(calendar)}, '{"batch": "none"}', 0, 4, 24, 'bench'
      from generate_series(1, ${count}::int) n returning id)
    insert into occurrences (schedule_id, day, local, zone, send_at, create_at)
    select id, '2026-01-05', '2026-01-05T09:00', 'UTC', at, at
    from made, (select now() + ${WARM_UP_MS} * interval '1 millisecond' as at) due`.execute(
    database,
  );
  // Observed from another session: a statement knows when it began, but not when its commit became
  // visible.
  const look = async () => {
    const { rows } = await sql<{ late: number; waiting: number }>`
      select (extract(epoch from clock_timestamp() - max(create_at)) * 1000)::float as late,
        count(*) filter (where fired_at is null)::int as waiting
      from occurrences where day = '2026-01-05'`.execute(database);
    return rows[0] ?? { late: Number.NaN, waiting: count };
  };
  let seen = await look();
  while (seen.waiting > 0 && !(seen.late > PATIENCE_MS)) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    seen = await look();
  }
  await workers.close();
  await payrun.close();
  if (seen.waiting > 0) throw new Error(`${seen.waiting} of ${count} have not fired`);
  return seen.late;
}
