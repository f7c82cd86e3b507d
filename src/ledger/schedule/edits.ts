import { sql } from "kysely";
import { appendAudit } from "#ledger/integrity/audit-hash-chain.ts";
import { SCHEDULE, type Schedule, sourceOf } from "#ledger/schedule/schedules.ts";
import type { Database } from "#ledger/store/database.ts";
import type { StoredOccurrences } from "#schedule/edit-plan.ts";
import type { Occurrence } from "#schedule/next-occurrences.ts";

/** The settings of a schedule that an edit replaces. */
export type ScheduleSettings = Pick<
  Schedule,
  | "name"
  | "calendar"
  | "list"
  | "folder"
  | "amounts"
  | "currency"
  | "leadHours"
  | "graceHours"
  | "expiresHours"
>;

/** Locks a schedule until the transaction ends: no occurrence is planned or ended meanwhile. */
export async function lockSchedule(transaction: Database, id: string): Promise<Schedule | null> {
  const { rows } = await sql<Schedule>`
    select ${SCHEDULE} from schedules s where s.id = ${id} for update`.execute(transaction);
  return rows[0] ?? null;
}

/**
 * Returns the occurrences that an edit depends on. In a transaction that has locked the schedule,
 * `isLocked` keeps the planned one from becoming due meanwhile.
 */
export async function findEditedOccurrences(
  database: Database,
  id: string,
  isLocked = true,
): Promise<StoredOccurrences> {
  const lock = isLocked ? sql`for update` : sql``;
  const planned = await sql<NonNullable<StoredOccurrences["planned"]>>`
    select day, local, zone, send_at as at, create_at as "createAt" from occurrences
    where schedule_id = ${id} and state = 'planned' ${lock}`.execute(database);
  const { rows } = await sql<Omit<StoredOccurrences, "planned">>`
    select now() as now, min(day) filter (where state in ('due', 'missed', 'failed')) as undecided,
      coalesce((select max(left(local, 10)::date) - min(left(local, 10)::date) from (
        select local from occurrences where schedule_id = ${id} and state = 'created' order by local desc limit 2) c), 0) as "gapDays",
      case when count(*) > 0 then jsonb_build_object('day', max(day), 'local', max(local)) end as last
    from occurrences where schedule_id = ${id} and state <> 'planned'`.execute(database);
  const [found] = rows;
  if (!found) throw new Error("an aggregate without groups returns one row");
  return { ...found, planned: planned.rows[0] ?? null };
}

/** Makes these occurrences due: the planned one, and those that no process has planned. */
export async function insertReachedOccurrences(
  transaction: Database,
  { id, leadHours }: Pick<Schedule, "id" | "leadHours">,
  reached: readonly Occurrence[],
): Promise<void> {
  for (const { day, local, zone, at } of reached) {
    await sql`
      insert into occurrences (schedule_id, day, local, zone, send_at, create_at, state, fired_at)
      values (${id}, ${day}, ${local}, ${zone}, ${at}, ${at}::timestamptz - ${leadHours} * interval '1 hour', 'due', now())
      on conflict (schedule_id, day) do update set state = 'due', fired_at = now(), updated_at = now()
      where occurrences.state = 'planned'`.execute(transaction);
  }
}

/** Deletes the planned occurrence, which the edited rule plans again. */
export async function unplanOccurrences(transaction: Database, id: string): Promise<void> {
  await sql`delete from occurrences where schedule_id = ${id} and state = 'planned'`.execute(
    transaction,
  );
}

/**
 * Replaces the settings of a locked schedule. Its batches stay as they are; a due occurrence keeps
 * its time. Returns the new version.
 */
export async function updateSchedule(
  transaction: Database,
  edit: ScheduleSettings & {
    readonly id: string;
    /** True if the occurrences are planned again. */
    readonly isReplanned: boolean;
    /** The changed settings: before and after. */
    readonly facts: Readonly<Record<string, unknown>>;
    readonly actor: string;
    readonly at: Date;
  },
): Promise<Pick<Schedule, "version">> {
  const { id, name, calendar, isReplanned, facts, actor, at } = edit;
  const { rows } = await sql<Pick<Schedule, "version">>`
    update schedules set name = ${name}, calendar = ${JSON.stringify(calendar)}, source = ${sourceOf(edit)},
      lead_hours = ${edit.leadHours}, grace_hours = ${edit.graceHours}, expires_hours = ${edit.expiresHours},
      version = version + 1, is_finished = is_finished and not ${isReplanned}::boolean,
      updated_at = case when ${isReplanned}::boolean then now() else updated_at end,
      editors = case when ${actor} = any(editors || maker) then editors else editors || ${actor}::text end
    where id = ${id} returning version`.execute(transaction);
  await appendAudit(transaction, at, { actor, action: "edit_schedule", object: id, facts });
  const [row] = rows;
  if (!row) throw new Error(`schedule ${id} is not locked`);
  return row;
}

/**
 * Makes the occurrences due again that failed because nobody had chosen an amount format or a
 * currency.
 */
export async function retryUnreadOccurrences(transaction: Database, id: string): Promise<void> {
  await sql`
    update occurrences set state = 'due', reason = null, amounts = null, lacks_currency = false,
      next_check_at = null, updated_at = now()
    where schedule_id = ${id} and state = 'failed' and (amounts is not null or lacks_currency)`.execute(
    transaction,
  );
}
