import { type RawBuilder, sql } from "kysely";
import { appendAudit } from "#ledger/audit.ts";
import type { Database } from "#ledger/database.ts";
import { EVERY_LANE } from "#payout/lane.ts";

/** A person's word that nothing of a lane is sent. */
export interface LanePause {
  /** Or EVERY_LANE. */
  readonly lane: string;
  readonly reason: string;
  readonly actor: string;
  readonly pausedAt: Date;
  /** Null: until a person resumes it. */
  readonly until: Date | null;
  /** The batches that still send, because they had begun before it; null: nothing is sent at all. */
  readonly finishing: readonly string[] | null;
}

export interface PauseOrder {
  readonly lane: string;
  readonly reason: string;
  readonly actor: string;
  readonly at: Date;
  readonly until: Date | null;
  /** True: batches of which something was sent finish. */
  readonly drain: boolean;
}

const HOLDS = sql`(until is null or until > now())`;

/** The condition of a claim that no person has paused its lane, or lets this batch finish. */
export const notPaused = (
  batchId: string | RawBuilder<unknown>,
  lane: string,
): RawBuilder<boolean> =>
  sql<boolean>`not exists (select from lane_pauses where lane in (${lane}, ${EVERY_LANE}) and ${HOLDS}
    and (finishing is null or ${batchId} <> all (finishing)))`;

/** Batches of which something of the lane was sent, whatever became of it. */
const begun = (lane: string) => sql`array(
  select b.id from batches b where b.state in ('approved', 'paused') and exists (
    select from payouts where id between b.first_id and b.last_id and batch_id = b.id
      and ${lane}::text in (lane, ${EVERY_LANE}) and first_sent_at is not null)
  order by b.approved_at)`;

/** Paused again: the newer word counts. False: the ledger has never had a payout in such a lane. */
export async function pauseLane(
  transaction: Database,
  { lane, reason, actor, at, until, drain }: PauseOrder,
): Promise<boolean> {
  const { rows } = await sql`
    insert into lane_pauses (lane, reason, actor, until, finishing)
    select ${lane}, ${reason}, ${actor}, ${until}::timestamptz, ${drain ? begun(lane) : sql`null::text[]`}
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

/** Takes one pause back: that of every lane leaves those of single ones. False: it is not paused. */
export async function resumeLane(
  transaction: Database,
  { lane, reason, actor, at }: Omit<PauseOrder, "until" | "drain">,
): Promise<boolean> {
  const { rows } = await sql`
    delete from lane_pauses where lane = ${lane} and ${HOLDS} returning lane`.execute(transaction);
  if (rows.length === 0) return false;
  await appendAudit(transaction, at, {
    actor,
    action: "resume_lane",
    object: lane,
    facts: { reason },
  });
  return true;
}

/** The pauses that hold now, the one of every lane first. Of one that drains, the batches that have something left to send. */
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
    from lane_pauses z where ${HOLDS} order by lane <> ${EVERY_LANE}, lane`.execute(database);
  return rows.map(({ paused_at, ...pause }) => ({ ...pause, pausedAt: paused_at }));
}
