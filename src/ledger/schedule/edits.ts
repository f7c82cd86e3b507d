import { sql } from "kysely";
import { appendAudit } from "#ledger/integrity/audit-hash-chain.ts";
import { CLOCK_TOLERANCE } from "#ledger/schedule/occurrences.ts";
import { SCHEDULE, type Schedule } from "#ledger/schedule/schedules.ts";
import type { Database } from "#ledger/store/database.ts";
import type { OccurrencePosition } from "#schedule/next-occurrences.ts";

/** The settings of a schedule that an edit replaces. */
export type ScheduleSettings = Pick<
  Schedule,
  "name" | "calendar" | "list" | "folder" | "leadHours" | "graceHours" | "expiresHours"
>;

/** Locks a schedule until the transaction ends: no occurrence is planned or ended meanwhile. */
export async function lockSchedule(transaction: Database, id: string): Promise<Schedule | null> {
  const { rows } = await sql<Schedule>`
    select ${SCHEDULE} from schedules s where s.id = ${id} for update`.execute(transaction);
  return rows[0] ?? null;
}

/**
 * Makes the planned occurrence due if its time has come, so that an edit cannot drop it. After a
 * freeze this includes the occurrences whose batches the lost history may have created. Returns
 * whether an occurrence is still planned.
 */
export async function fireReachedOccurrences(transaction: Database, id: string): Promise<boolean> {
  await sql`
    update occurrences set state = 'due', fired_at = now(), updated_at = now()
    where schedule_id = ${id} and state = 'planned' and create_at <= greatest(now(),
      (select max(at::timestamptz) from audit where object = 'ledger' and action = 'freeze')
        + ${CLOCK_TOLERANCE})`.execute(transaction);
  const { rows } = await sql`
    select day from occurrences where schedule_id = ${id} and state = 'planned'`.execute(
    transaction,
  );
  return rows.length > 0;
}

/** Returns the position of the schedule: no occurrence at or before it is planned again. */
export async function findLastOccurrence(
  transaction: Database,
  id: string,
): Promise<OccurrencePosition | null> {
  const { rows } = await sql<OccurrencePosition>`
    select max(day) as day, max(local) as local from occurrences
    where schedule_id = ${id} having count(*) > 0`.execute(transaction);
  return rows[0] ?? null;
}

/** Deletes the planned occurrence, which the edited rule plans again. */
export async function unplanOccurrences(transaction: Database, id: string): Promise<void> {
  await sql`delete from occurrences where schedule_id = ${id} and state = 'planned'`.execute(
    transaction,
  );
}

/**
 * Replaces the settings of a locked schedule. Its batches stay as they are; a due occurrence keeps
 * its time and reads the new list or folder. Returns the new version, and the time from which
 * occurrences are planned.
 */
export async function updateSchedule(
  transaction: Database,
  edit: ScheduleSettings & {
    readonly id: string;
    /** True if the occurrences are planned again. */
    readonly isReplanned: boolean;
    /** True if the rows come from another list or folder. */
    readonly hasNewSource: boolean;
    /** The changed settings: before and after. */
    readonly facts: Readonly<Record<string, unknown>>;
    readonly actor: string;
    readonly at: Date;
  },
): Promise<Pick<Schedule, "version" | "updatedAt">> {
  const { id, name, calendar, list, folder, isReplanned, facts, actor, at } = edit;
  const source = list === null ? { kind: "folder", folder } : { kind: "list", batch: list };
  const { rows } = await sql<Pick<Schedule, "version" | "updatedAt">>`
    update schedules set name = ${name}, calendar = ${JSON.stringify(calendar)}, source = ${JSON.stringify(source)},
      lead_hours = ${edit.leadHours}, grace_hours = ${edit.graceHours}, expires_hours = ${edit.expiresHours},
      version = version + 1, is_finished = is_finished and not ${isReplanned}::boolean,
      updated_at = case when ${isReplanned}::boolean then now() else updated_at end,
      editors = case when ${actor} = any(editors || maker) then editors else editors || ${actor}::text end
    where id = ${id} returning version, updated_at as "updatedAt"`.execute(transaction);
  if (edit.hasNewSource) {
    await sql`
      update occurrences set seen = null, seen_at = null, next_check_at = null, reason = null
      where schedule_id = ${id} and state = 'due'`.execute(transaction);
  }
  await appendAudit(transaction, at, { actor, action: "edit_schedule", object: id, facts });
  const [row] = rows;
  if (!row) throw new Error(`schedule ${id} is not locked`);
  return row;
}
