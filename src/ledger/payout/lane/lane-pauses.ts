import { type RawBuilder, sql } from "kysely";
import { appendAudit } from "#ledger/integrity/audit-hash-chain.ts";
import type { Database } from "#ledger/store/database.ts";
import { EVERY_LANE } from "#payout/lane/lane.ts";

/** A pause of a lane by a person. */
export interface LanePause {
  /** A lane, or EVERY_LANE. */
  readonly lane: string;
  readonly reason: string;
  readonly actor: string;
  readonly pausedAt: Date;
  /** Null: until a person resumes it. */
  readonly until: Date | null;
  /** Batches that continue, because they had started before the pause. Null: no batch continues. */
  readonly finishing: readonly string[] | null;
}

export interface PauseOrder {
  readonly lane: string;
  readonly reason: string;
  readonly actor: string;
  readonly at: Date;
  readonly until: Date | null;
  /** True: batches of which a payout was sent may finish. */
  readonly drain: boolean;
}

const IS_ACTIVE = sql`(until is null or until > now())`;

/**
 * Returns the condition of a claim that its lane is not paused, or that the pause lets this batch
 * finish.
 */
export const notPaused = (
  batchId: string | RawBuilder<unknown>,
  lane: string,
): RawBuilder<boolean> =>
  sql<boolean>`not exists (select from lane_pauses where lane in (${lane}, ${EVERY_LANE}) and ${IS_ACTIVE}
    and (finishing is null or ${batchId} <> all (finishing)))`;

/** Batches of which a payout of the lane was sent, whatever its result. */
const startedBatches = (lane: string) => sql`array(
  select b.id from batches b where b.state in ('approved', 'paused') and exists (
    select from payouts where id between b.first_id and b.last_id and batch_id = b.id
      and ${lane}::text in (lane, ${EVERY_LANE}) and first_sent_at is not null)
  order by b.approved_at)`;

/**
 * Pauses a lane. A new pause replaces the previous one. Returns false if the lane never had a
 * payout.
 */
export async function pauseLane(
  transaction: Database,
  { lane, reason, actor, at, until, drain }: PauseOrder,
): Promise<boolean> {
  const { rows } = await sql`
    insert into lane_pauses (lane, reason, actor, until, finishing)
    select ${lane}, ${reason}, ${actor}, ${until}::timestamptz, ${drain ? startedBatches(lane) : sql`null::text[]`}
    where ${lane}::text = ${EVERY_LANE} or exists (select from batch_lanes where lane = ${lane})
    on conflict (lane) do update set
      reason = excluded.reason, actor = excluded.actor, until = excluded.until, finishing = excluded.finishing,
      paused_at = now()
    returning lane`.execute(transaction);
  if (rows.length === 0) return false;
  const facts = { reason, until: until?.toISOString() ?? null, drain };
  await appendAudit(transaction, at, { actor, action: "pause_lane", object: lane, facts });
  return true;
}

/**
 * Ends one pause. Ending the pause of every lane leaves the pauses of single lanes. Returns false
 * if there is no such pause.
 */
export async function resumeLane(
  transaction: Database,
  { lane, reason, actor, at }: Omit<PauseOrder, "until" | "drain">,
): Promise<boolean> {
  const { rows } = await sql`
    delete from lane_pauses where lane = ${lane} and ${IS_ACTIVE} returning lane`.execute(
    transaction,
  );
  if (rows.length === 0) return false;
  await appendAudit(transaction, at, {
    actor,
    action: "resume_lane",
    object: lane,
    facts: { reason },
  });
  return true;
}

/**
 * Returns the current pauses, that of every lane first. For a pause that lets batches finish, lists
 * the batches that still have payouts to send.
 */
export async function lanePauses(database: Database): Promise<LanePause[]> {
  const { rows } = await sql<{
    lane: string;
    reason: string;
    actor: string;
    paused_at: Date;
    until: Date | null;
    finishing: string[] | null;
  }>`select lane, reason, actor, paused_at, until, case when finishing is not null then array(
        select f from unnest(finishing) with ordinality as u (f, place) where exists (
          select from payouts where batch_id = f and z.lane in (lane, ${EVERY_LANE}) and state = 'approved')
        order by place) end as finishing
    from lane_pauses z where ${IS_ACTIVE} order by lane <> ${EVERY_LANE}, lane`.execute(database);
  return rows.map(({ paused_at, ...pause }) => ({ ...pause, pausedAt: paused_at }));
}
