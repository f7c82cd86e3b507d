import { sql } from "kysely";
import { appendAudit } from "#ledger/integrity/audit-hash-chain.ts";
import type { AmountProposal } from "#intake/text/reading-proposal.ts";
import type { Database } from "#ledger/store/database.ts";
import type { AmountStyle } from "#money/parse.ts";
import type { Calendar } from "#schedule/calendar.ts";
import type { Occurrence, OccurrencePosition } from "#schedule/next-occurrences.ts";

export type ScheduleState = "active" | "paused" | "removed";
export type OccurrenceState = "planned" | "due" | "created" | "missed" | "failed" | "skipped";

export interface Schedule {
  readonly id: string;
  readonly name: string;
  readonly calendar: Calendar;
  /** The batch whose rows are paid again. Null: a file arrives in a folder. */
  readonly list: string | null;
  /** The folder in which the file arrives. Null: the schedule pays a list. */
  readonly folder: string | null;
  /** The number format of the files in the folder. Null: each file decides. */
  readonly amounts: AmountStyle | null;
  /** The currency of all rows, for files without a currency column. Null: none was chosen. */
  readonly currency: string | null;
  readonly leadHours: number;
  readonly graceHours: number;
  readonly expiresHours: number;
  readonly state: ScheduleState;
  readonly maker: string;
  readonly reason: string | null;
  /** Counts the changes by people. */
  readonly version: number;
  readonly createdAt: Date;
  /**
   * Time from which occurrences are planned: the creation, the last time the schedule was resumed,
   * or the last edit of its times.
   */
  readonly updatedAt: Date;
}

export interface StoredOccurrence {
  readonly day: string;
  readonly local: string;
  /** Zone of the local time. It stays when the zone of the schedule is edited. */
  readonly zone: string;
  readonly sendAt: Date;
  readonly makeAt: Date;
  readonly state: OccurrenceState;
  readonly batchId: string | null;
  readonly why: string | null;
  /** The amount formats between which somebody must choose. Null: none are proposed. */
  readonly amounts: AmountProposal | null;
}

export const SCHEDULE = sql`s.id, s.name, s.calendar, s.source ->> 'batch' as list,
  s.source ->> 'folder' as folder, s.source ->> 'amounts' as amounts,
  s.source ->> 'currency' as currency, s.lead_hours as "leadHours", s.grace_hours as "graceHours", s.expires_hours as "expiresHours", s.state, s.maker, s.reason,
  s.version, s.created_at as "createdAt", s.updated_at as "updatedAt"`;
const OCCURRENCE = sql`o.day, o.local, o.zone, o.send_at as "sendAt", o.create_at as "makeAt", o.state, o.batch_id as "batchId", o.reason as "why", o.amounts`;

/** Returns the source of a schedule's rows as the ledger stores it. */
export const sourceOf = ({
  list,
  folder,
  amounts,
  currency,
}: Pick<Schedule, "list" | "folder" | "amounts" | "currency">): string =>
  JSON.stringify(
    list === null
      ? {
          kind: "folder",
          folder,
          ...(amounts !== null && { amounts }),
          ...(currency !== null && { currency }),
        }
      : { kind: "list", batch: list },
  );

type NewSchedule = Omit<Schedule, "state" | "reason" | "version" | "createdAt" | "updatedAt">;

/**
 * Creates a schedule. Returns the time since which it is active, by the clock of the ledger, which
 * also fires it.
 */
export async function insertSchedule(
  transaction: Database,
  schedule: NewSchedule,
  /** Another schedule of the same list that is intended to run as well. Null: there is none. */
  second: string | null,
  at: Date,
): Promise<Date> {
  const { id, name, calendar, list, folder, amounts, currency } = schedule;
  const { leadHours, graceHours, expiresHours, maker } = schedule;
  const { rows } = await sql<{ since: Date }>`
    insert into schedules (id, name, calendar, source, lead_hours, grace_hours, expires_hours, maker)
    values (${id}, ${name}, ${JSON.stringify(calendar)}, ${sourceOf(schedule)}, ${leadHours}, ${graceHours},
      ${expiresHours}, ${maker}) returning updated_at as since`.execute(transaction);
  const facts = {
    name,
    calendar,
    list,
    folder,
    amounts,
    currency,
    ...(second !== null && { second_of: second }),
  };
  await appendAudit(transaction, at, {
    actor: maker,
    action: "create_schedule",
    object: id,
    facts,
  });
  return rows[0]?.since ?? at;
}

/**
 * Returns an existing schedule that pays the same list, preferably at the same times, or null if
 * there is none.
 */
export async function findScheduleOfList(
  transaction: Database,
  {
    list,
    calendar,
    except = null,
  }: {
    readonly list: string;
    readonly calendar: Calendar;
    /** The schedule that is being edited. */
    readonly except?: string | null;
  },
): Promise<(Pick<Schedule, "id" | "name" | "calendar"> & { isSame: boolean }) | null> {
  const { rows } = await sql<Pick<Schedule, "id" | "name" | "calendar"> & { isSame: boolean }>`
    select id, name, calendar, calendar = ${JSON.stringify(calendar)}::jsonb as "isSame" from schedules
    where source ->> 'batch' = ${list} and state <> 'removed'
      and id is distinct from ${except}
    order by "isSame" desc, created_at desc, id limit 1`.execute(transaction);
  return rows[0] ?? null;
}

/** Returns the schedules that were not removed, by name, or the named schedule in any state. */
export async function findSchedules(
  database: Database,
  id: string | null = null,
): Promise<Schedule[]> {
  const { rows } = await sql<Schedule>`
    select ${SCHEDULE} from schedules s
    where case when ${id}::text is null then s.state <> 'removed' else s.id = ${id} end
    order by s.name, s.id limit 1000`.execute(database);
  return rows;
}

/** Returns the newest occurrences of each schedule, the latest date first. */
export async function findOccurrences(
  database: Database,
  ids: readonly string[],
  limit: number,
): Promise<ReadonlyMap<string, StoredOccurrence[]>> {
  const { rows } = await sql<StoredOccurrence & { id: string }>`
    select s.id, ${OCCURRENCE} from unnest(${[...ids]}::text[]) as s (id)
    cross join lateral (select * from occurrences where schedule_id = s.id order by day desc limit ${limit}) o
    order by s.id, o.day desc`.execute(database);
  return Map.groupBy(rows, ({ id }) => id);
}

// biome-ignore format: the columns are the point
const SCHEDULE_TRANSITIONS = {
  pause:  { from: ["active"],           to: "paused" },
  resume: { from: ["paused"],           to: "active" },
  remove: { from: ["active", "paused"], to: "removed" },
} as const;
export type ScheduleAction = keyof typeof SCHEDULE_TRANSITIONS;

/**
 * Pauses, resumes or removes a schedule. Returns false if its state does not allow it. Planned
 * occurrences that are not due yet are deleted, and are planned again after a resume.
 */
export async function changeScheduleState(
  transaction: Database,
  order: { id: string; how: ScheduleAction; reason: string; actor: string; at: Date },
): Promise<boolean> {
  const { id, how, reason, actor, at } = order;
  const { from, to } = SCHEDULE_TRANSITIONS[how];
  const { rows } = await sql`
    update schedules set state = ${to}, reason = ${reason}, version = version + 1, updated_at = now()
    where id = ${id} and state = any(${[...from]}) returning id`.execute(transaction);
  if (rows.length === 0) return false;
  await sql`delete from occurrences where schedule_id = ${id} and state = 'planned'`.execute(
    transaction,
  );
  if (how === "remove") {
    await sql`update occurrences set state = 'skipped', reason = 'its schedule was removed', updated_at = now()
      where schedule_id = ${id} and state = 'due'`.execute(transaction);
  }
  await appendAudit(transaction, at, {
    actor,
    action: `${how}_schedule`,
    object: id,
    facts: { reason },
  });
  return true;
}

/** Makes all occurrences due whose time has come, in one statement. Returns their number. */
export async function fireOccurrences(database: Database): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update occurrences o set state = 'due', fired_at = now(), updated_at = now()
    from schedules s
    where s.id = o.schedule_id and s.state = 'active' and o.state = 'planned' and o.create_at <= now()`.execute(
    database,
  );
  return Number(numAffectedRows);
}

/** Returns active schedules without a planned occurrence, with their last occurrence. */
export async function findUnplanned(
  database: Database,
  sizeMax: number,
): Promise<(Schedule & { readonly last: OccurrencePosition | null })[]> {
  const { rows } = await sql<Schedule & { last: OccurrencePosition | null }>`
    select ${SCHEDULE}, (select jsonb_build_object('day', max(day), 'local', max(local)) from occurrences
      where schedule_id = s.id having count(*) > 0) as last
    from schedules s
    where s.state = 'active' and not s.is_finished
      -- Looked up in a table of hashes, also where the planner has no figures yet: joined, it took 19 s for 10,000.
      and s.id not in (select schedule_id from occurrences where state = 'planned')
    limit ${sizeMax}`.execute(database);
  return rows;
}

/**
 * Records the next occurrence, once, unless the schedule was changed since it was read. Null: there
 * is no further occurrence.
 */
export async function planOccurrence(
  database: Database,
  { id, leadHours, version }: Pick<Schedule, "id" | "leadHours" | "version">,
  next: Occurrence | null,
): Promise<void> {
  if (!next) {
    await sql`update schedules set is_finished = true where id = ${id} and version = ${version}`.execute(
      database,
    );
    return;
  }
  await sql`
    insert into occurrences (schedule_id, day, local, zone, send_at, create_at)
    select ${id}, ${next.day}, ${next.local}, ${next.zone}, ${next.at}::timestamptz,
      ${next.at}::timestamptz - ${leadHours} * interval '1 hour'
    from schedules where id = ${id} and state = 'active' and version = ${version} for share
    on conflict do nothing`.execute(database);
}
