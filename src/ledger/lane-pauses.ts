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
}

export interface PauseOrder {
  readonly lane: string;
  readonly reason: string;
  readonly actor: string;
  readonly at: Date;
  readonly until: Date | null;
}

const HOLDS = sql`(until is null or until > now())`;

/** The condition of a claim that no person has paused its lane. */
export const notPaused = (lane: string): RawBuilder<boolean> =>
  sql<boolean>`not exists (select from lane_pauses where lane in (${lane}, ${EVERY_LANE}) and ${HOLDS})`;

/** Paused again: the newer word counts. False: the ledger has never had a payout in such a lane. */
export async function pauseLane(
  transaction: Database,
  { lane, reason, actor, at, until }: PauseOrder,
): Promise<boolean> {
  const { rows } = await sql`
    insert into lane_pauses (lane, reason, actor, until)
    select ${lane}, ${reason}, ${actor}, ${until}::timestamptz
    where ${lane}::text = ${EVERY_LANE} or exists (select from batch_lanes where lane = ${lane})
    on conflict (lane) do update set
      reason = excluded.reason, actor = excluded.actor, until = excluded.until, paused_at = now()
    returning lane`.execute(transaction);
  if (rows.length === 0) return false;
  const facts = { reason, until: until?.toISOString() ?? null };
  await appendAudit(transaction, at, { actor, action: "pause_lane", object: lane, facts });
  return true;
}

/** Takes one pause back: that of every lane leaves those of single ones. False: it is not paused. */
export async function resumeLane(
  transaction: Database,
  { lane, reason, actor, at }: Omit<PauseOrder, "until">,
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

/** The pauses that hold now, the one of every lane first. */
export async function lanePauses(database: Database): Promise<LanePause[]> {
  const { rows } = await sql<{
    lane: string;
    reason: string;
    actor: string;
    paused_at: Date;
    until: Date | null;
  }>`select * from lane_pauses where ${HOLDS} order by lane <> ${EVERY_LANE}, lane`.execute(
    database,
  );
  return rows.map(({ paused_at, ...pause }) => ({ ...pause, pausedAt: paused_at }));
}
