import { sql } from "kysely";
import type { Database } from "#ledger/store/database.ts";

/** Current rate at which the gateway answers for a batch. */
export interface ResponseRate {
  readonly answersPerSecond: number;
  /** 95th percentile of the request durations in milliseconds. Null if no request was answered. */
  readonly p95Ms: number | null;
}

/**
 * Number of latest evidence records that are read, regardless of their batch. The cost does not
 * depend on the size of the ledger.
 */
const EVIDENCE_READ_MAX = 2_000;
const WINDOW_S = 10;

/**
 * Returns a batch's latest gateway responses per second, and the 95th percentile of their duration
 * in milliseconds. After a pause, a lane sends a burst, so that the responses of a few seconds can
 * exceed its rate limit. The result never does, because the batch cannot keep that rate.
 */
export async function findResponseRate(database: Database, batchId: string): Promise<ResponseRate> {
  const { rows } = await sql<{
    answers: number;
    seconds: number;
    p95: number | null;
    limit: number | null;
  }>`
    select count(*)::int as answers,
      extract(epoch from now() - greatest(min(e.at), now() - ${WINDOW_S} * interval '1 second'))::float as seconds,
      percentile_cont(0.95) within group (order by (e.facts->>'elapsedMs')::float)::float as p95,
      -- Null if a lane has no limit.
      (select case when count(*) = count(l.rate) then sum(l.rate)::float end
        from batch_lanes b left join lane_rate_limits l using (lane) where b.batch_id = ${batchId}) as limit
    from (
      select e.payout_id, e.at, e.facts from evidence e, (select max(id) as last from evidence) newest
      where e.id > newest.last - ${EVIDENCE_READ_MAX} and e.kind = 'answer' and e.facts ? 'elapsedMs'
        and e.at > now() - ${WINDOW_S} * interval '1 second'
    ) e join payouts p on p.id = e.payout_id and p.batch_id = ${batchId}`.execute(database);
  const { answers = 0, seconds = 0, p95 = null, limit = null } = rows[0] ?? {};
  const measured = answers === 0 ? 0 : answers / Math.max(seconds, 1);
  return {
    answersPerSecond: Math.min(measured, limit ?? Infinity),
    p95Ms: p95 === null ? null : Math.round(p95),
  };
}
