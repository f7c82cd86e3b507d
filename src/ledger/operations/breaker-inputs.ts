import { sql } from "kysely";
import type { Database } from "#ledger/store/database.ts";
import { inMs } from "#ledger/store/tables.ts";
import { SEND_RESULTS_KEPT_MS } from "#payout/lane/lane-health.ts";

/** The recent history of a lane that its circuit breakers evaluate. */
export interface BreakerInputs {
  readonly lane: string;
  /** Results of the latest submissions, newest last. */
  readonly marks: string;
  /** How often the most frequent unknown response occurred that nobody has reviewed. */
  readonly unknownTimes: number;
  /** Time at which the lane last restarted. Null: it is stopped, or has never stopped. */
  readonly restartedAt: Date | null;
}

/** Returns the recent history of each of these lanes. */
export async function findBreakerInputs(
  database: Database,
  lanes: readonly string[],
): Promise<BreakerInputs[]> {
  const { rows } = await sql<BreakerInputs>`
    select
      known.lane,
      coalesce(lane_health.outcomes, '') as marks,
      coalesce((
        select max(times)
        from unknown_answers
        where unknown_answers.lane = known.lane
          and acknowledged_at is null
      ), 0) as "unknownTimes",
      case when lanes.reason is null then lanes.updated_at end as "restartedAt"
    from unnest(${[...lanes]}::text[]) as known (lane)
      left join lanes on lanes.lane = known.lane
      left join lane_health on lane_health.lane = known.lane
        and lane_health.updated_at >= now() - ${inMs(SEND_RESULTS_KEPT_MS)}`.execute(database);
  return rows;
}
