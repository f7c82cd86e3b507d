import { sql } from "kysely";
import { appendAudit } from "#ledger/integrity/audit-hash-chain.ts";
import type { AmountProposal } from "#intake/text/reading-proposal.ts";
import type { Database } from "#ledger/store/database.ts";
import { SCHEDULE, type Schedule } from "#ledger/schedule/schedules.ts";
import type { AuditAction } from "#integrity/audit-actions.ts";
import { HOURS_MAX } from "#schedule/release.ts";

/** An occurrence whose batch is to be created. */
export interface DueOccurrence extends Schedule {
  readonly day: string;
  readonly local: string;
  readonly zone: string;
  readonly sendAt: Date;
  /** True if a person decided that it is not too late, and the ledger was not frozen since. */
  readonly byHand: boolean;
  /**
   * True if the lost history of a restored ledger may have created and paid it: its batch could be
   * created before the freeze, whatever the lead time, or it is the first one of its schedule since
   * the freeze, which a lost edit may have moved from an earlier time.
   */
  readonly mayBePaid: boolean;
  /** Decision that a person made before it was due, since the last freeze. Null: there is none. */
  readonly decided: "create" | "skip" | null;
  /** The reason of that decision. */
  readonly decidedWhy: string | null;
  /** Files in the folder at the last check, and whether they have been the same for a while. */
  readonly seen: readonly string[] | null;
  readonly isQuiet: boolean;
  /** An earlier undecided occurrence of this schedule. */
  readonly undecided: string | null;
  /** Time at which a person last skipped an occurrence. */
  readonly skippedAt: Date | null;
  /** Current time of the ledger. */
  readonly now: Date;
}

/**
 * Tolerance for the clock of a server on which a ledger was restored. If that clock is slow, an
 * occurrence created an hour ago in the lost history seems to be in the future.
 */
export const CLOCK_TOLERANCE = sql`interval '1 hour'`;
/** Time without changes after which the files in a folder are complete. */
const QUIET_TIME = sql`interval '60 seconds'`;
/** Interval between two checks of a folder. */
const CHECK_EVERY = sql`interval '15 seconds'`;

/**
 * Audited actions after which the next occurrence of a schedule is not the first one since a
 * freeze, or a person has confirmed its times.
 */
const AFTER_FREEZE = [
  "create_schedule",
  "edit_schedule",
  "create_occurrence",
  "skip_occurrence",
  "occurrence_created",
  "occurrence_missed",
  "occurrence_failed",
] as const satisfies readonly AuditAction[];

/** Returns the occurrences whose time has come, at most this many. */
export async function findDueOccurrences(
  database: Database,
  sizeMax: number,
): Promise<DueOccurrence[]> {
  const { rows } = await sql<DueOccurrence>`
    select ${SCHEDULE}, o.day, o.local, o.zone, o.send_at as "sendAt", now() as now, o.seen,
      coalesce(o.seen_at <= now() - ${QUIET_TIME}, false) as "isQuiet",
      o.by_hand and o.updated_at > coalesce(f.at, '-infinity') as "byHand",
      f.seq is not null and (o.send_at - ${HOURS_MAX} * interval '1 hour' <= f.at + ${CLOCK_TOLERANCE}
        or not exists (select from audit a where a.object = s.id and a.seq > f.seq and a.action = any(${[...AFTER_FREEZE]}))) as "mayBePaid",
      d.decision as decided, d.reason as "decidedWhy",
      (select min(e.day) from occurrences e where e.schedule_id = o.schedule_id and e.day < o.day
        and e.state in ('due', 'missed', 'failed')) as undecided,
      (select max(e.updated_at) from occurrences e where e.schedule_id = o.schedule_id
        and e.state = 'skipped') as "skippedAt"
    from occurrences o join schedules s on s.id = o.schedule_id
    left join lateral (
      select at::timestamptz as at, seq from audit where object = 'ledger' and action = 'freeze' order by seq desc limit 1) f on true
    left join occurrence_decisions d on d.schedule_id = o.schedule_id and d.day = o.day
      and d.local = o.local and d.zone = o.zone and d.decided_at > coalesce(f.at, '-infinity')
    where o.state = 'due' and s.state = 'active' and (o.next_check_at is null or o.next_check_at <= now())
    order by o.create_at, o.schedule_id limit ${sizeMax}`.execute(database);
  return rows;
}

/**
 * Postpones an occurrence whose file is missing or may be incomplete. The folder is checked again
 * later.
 */
export async function waitForFile(
  database: Database,
  { id, day, version }: Pick<DueOccurrence, "id" | "day" | "version">,
  { seen, why }: { readonly seen: readonly string[]; readonly why: string },
): Promise<void> {
  const files = JSON.stringify(seen);
  await sql`
    update occurrences o set next_check_at = now() + ${CHECK_EVERY}, reason = ${why},
      seen_at = case when seen = ${files}::jsonb then seen_at else now() end, seen = ${files}::jsonb
    from (select id from schedules where id = ${id} and version = ${version} for share) s
    where o.schedule_id = s.id and o.day = ${day} and o.state = 'due'`.execute(database);
}

/** Returns the files from which batches of this schedule were created. */
export async function findUsedFiles(database: Database, id: string): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ file: string }>`
    select seen ->> 0 as file from occurrences
    where schedule_id = ${id} and state = 'created' and seen is not null`.execute(database);
  return new Set(rows.map(({ file }) => file));
}

export type OccurrenceResult =
  | { readonly state: "created"; readonly batchId: string; readonly why: string | null }
  | {
      readonly state: "missed" | "failed";
      readonly why: string;
      /** The amount formats between which somebody must choose. */
      readonly amounts?: AmountProposal;
      /** Its file is still in the folder, and somebody must choose the currency of all rows. */
      readonly lacksCurrency?: boolean;
    }
  /** A person decided this before the occurrence was due. */
  | { readonly state: "skipped"; readonly why: string | null };

/**
 * Locks a schedule until the transaction ends. Returns false if it is not active, or was changed
 * since it was read. Precedes the lock of the audit log, as in each change of a schedule.
 */
export async function lockUnchanged(
  transaction: Database,
  { id, version }: Pick<Schedule, "id" | "version">,
): Promise<boolean> {
  const { rows } = await sql`
    select id from schedules where id = ${id} and state = 'active' and version = ${version}
    for share`.execute(transaction);
  return rows.length > 0;
}

/**
 * Records the result of a due occurrence. Returns false if somebody was first, or has paused or
 * edited its schedule.
 */
export async function endOccurrence(
  transaction: Database,
  { id, day, version }: Pick<DueOccurrence, "id" | "day" | "version">,
  ending: OccurrenceResult,
  at: Date,
): Promise<boolean> {
  const { state, why } = ending;
  const batchId = "batchId" in ending ? ending.batchId : null;
  const amounts = "amounts" in ending ? JSON.stringify(ending.amounts) : null;
  const lacksCurrency = "lacksCurrency" in ending && ending.lacksCurrency === true;
  if (!(await lockUnchanged(transaction, { id, version }))) return false;
  const { rows } = await sql`
    update occurrences set state = ${state}, batch_id = ${batchId}, reason = ${why}, amounts = ${amounts},
      lacks_currency = ${lacksCurrency}, updated_at = now(),
      folder = case when ${batchId}::text is not null then (select source ->> 'folder' from schedules where id = ${id}) end
    where schedule_id = ${id} and day = ${day} and state = 'due' returning day`.execute(
    transaction,
  );
  if (rows.length === 0) return false;
  // The audit log has the decision to skip it.
  if (state === "skipped") return true;
  const facts = { day, batch: batchId, reason: why };
  const action = `occurrence_${state}` as const;
  await appendAudit(transaction, at, { actor: "tick", action, object: id, facts });
  return true;
}

/**
 * Records a person's decision about a missed or failed occurrence: create its batch all the same,
 * or skip it.
 */
export async function decideOccurrence(
  transaction: Database,
  order: {
    id: string;
    day: string;
    decision: "create" | "skip";
    reason: string;
    actor: string;
    at: Date;
  },
): Promise<boolean> {
  const { id, day, decision, reason, actor, at } = order;
  const { rows } = await sql`
    update occurrences set state = ${decision === "create" ? "due" : "skipped"}, by_hand = true, reason = ${reason}, amounts = null,
      lacks_currency = false, next_check_at = null, updated_at = now()
    where schedule_id = ${id} and day = ${day} and state in ('missed', 'failed') returning day`.execute(
    transaction,
  );
  if (rows.length === 0) return false;
  const facts = { day, reason };
  const action = `${decision}_occurrence` as const;
  await appendAudit(transaction, at, { actor, action, object: id, facts });
  return true;
}
