import { sql } from "kysely";
import type { Database } from "#ledger/database.ts";

/** How fast the gateway answers for a batch at the moment. */
export interface Pace {
  readonly answersPerSecond: number;
  /** Of the requests among them, in milliseconds; null: none was answered. */
  readonly p95Ms: number | null;
}

/** Over so many of the last pieces of evidence, whatever batch they are of: a look that costs the same at any size. */
const LOOK_BACK = 2_000;
const WINDOW_S = 10;

export async function paceOf(database: Database, batchId: string): Promise<Pace> {
  const { rows } = await sql<{ answers: number; seconds: number; p95: number | null }>`
    select count(*)::int as answers,
      extract(epoch from now() - greatest(min(e.at), now() - ${WINDOW_S} * interval '1 second'))::float as seconds,
      percentile_cont(0.95) within group (order by (e.facts->>'elapsedMs')::float)::float as p95
    from (
      select e.payout_id, e.at, e.facts from evidence e, (select max(id) as last from evidence) newest
      where e.id > newest.last - ${LOOK_BACK} and e.kind = 'answer'
        and e.at > now() - ${WINDOW_S} * interval '1 second'
    ) e join batches b on b.id = ${batchId} and e.payout_id between b.first_id and b.last_id`.execute(
    database,
  );
  const { answers = 0, seconds = 0, p95 = null } = rows[0] ?? {};
  return {
    answersPerSecond: answers === 0 ? 0 : answers / Math.max(seconds, 1),
    p95Ms: p95 === null ? null : Math.round(p95),
  };
}
