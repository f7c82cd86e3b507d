import { sql } from "kysely";
import { appendAudit } from "#ledger/integrity/audit-hash-chain.ts";
import { lockSchedule } from "#ledger/schedule/edits.ts";
import { CLOCK_TOLERANCE, decideOccurrence } from "#ledger/schedule/occurrences.ts";
import type { Schedule } from "#ledger/schedule/schedules.ts";
import type { Database } from "#ledger/store/database.ts";
import { HOURS_MAX } from "#schedule/release.ts";
import {
  type OccurrenceDecision,
  type OccurrenceRecord,
  type UndecidedOccurrence,
  undecidedOccurrences,
} from "#schedule/undecided.ts";
import type { Holidays } from "#schedule/working-days.ts";

/** Returns what the undecided occurrences of these schedules depend on, by schedule. */
async function findRecords(
  database: Database,
  ids: readonly string[],
): Promise<ReadonlyMap<string, OccurrenceRecord>> {
  const freezes = await sql<{ at: Date | null; until: Date | null }>`
    select max(at::timestamptz) as at,
      max(at::timestamptz) + ${CLOCK_TOLERANCE} + ${HOURS_MAX} * interval '1 hour' as until
    from audit where object = 'ledger' and action = 'freeze'`.execute(database);
  const open = await sql<UndecidedOccurrence & { id: string }>`
    select schedule_id as id, day, local, zone, send_at as at, state from occurrences
    where schedule_id = any(${[...ids]}::text[]) and state in ('missed', 'failed', 'planned')
    order by schedule_id, day`.execute(database);
  const last = await sql<{ id: string; day: string; local: string }>`
    select schedule_id as id, max(day) as day, max(local) as local from occurrences
    where schedule_id = any(${[...ids]}::text[]) group by schedule_id`.execute(database);
  const [freeze = { at: null, until: null }] = freezes.rows;
  const decisions = await sql<OccurrenceDecision & { id: string }>`
    select schedule_id as id, day, local, zone, decision from occurrence_decisions
    where schedule_id = any(${[...ids]}::text[]) and decided_at > coalesce(${freeze.at}::timestamptz, '-infinity')`.execute(
    database,
  );
  const openOf = Map.groupBy(open.rows, ({ id }) => id);
  const lastOf = new Map(last.rows.map((row) => [row.id, row]));
  const decisionsOf = Map.groupBy(decisions.rows, ({ id }) => id);
  return new Map(
    ids.map((id) => [
      id,
      {
        open: openOf.get(id) ?? [],
        last: lastOf.get(id) ?? null,
        decisions: decisionsOf.get(id) ?? [],
        until: freeze.until,
      },
    ]),
  );
}

/** The occurrences of one schedule that need a decision, and the decisions about coming ones. */
export interface ScheduleDecisions {
  readonly undecided: readonly UndecidedOccurrence[];
  readonly decided: readonly OccurrenceDecision[];
}

/** Returns which occurrences of these schedules need a decision, by schedule. */
export async function findDecisions(
  database: Database,
  schedules: readonly Schedule[],
  holidays: Holidays,
): Promise<ReadonlyMap<string, ScheduleDecisions>> {
  const records = await findRecords(
    database,
    schedules.map(({ id }) => id),
  );
  return new Map(
    schedules.flatMap(({ id, calendar, state, updatedAt }) => {
      const record = records.get(id);
      if (!record) return [];
      const schedule = { calendar, isActive: state === "active", since: updatedAt };
      const undecided = undecidedOccurrences(schedule, record, holidays);
      return [[id, { undecided, decided: record.decisions }] as const];
    }),
  );
}

/**
 * Records a person's decision about every undecided occurrence of a schedule, with one line of the
 * audit log each. `changed`: these are not the days that the person saw.
 */
export async function decideOccurrences(
  transaction: Database,
  order: {
    readonly id: string;
    /** The days that the person saw. */
    readonly days: readonly string[];
    readonly decision: "create" | "skip";
    readonly reason: string;
    readonly actor: string;
    readonly at: Date;
  },
  holidays: Holidays,
): Promise<"decided" | "changed" | "not_found"> {
  const { id, days, decision, reason, actor, at } = order;
  const schedule = await lockSchedule(transaction, id);
  if (!schedule) return "not_found";
  const found = await findDecisions(transaction, [schedule], holidays);
  const undecided = found.get(id)?.undecided ?? [];
  const isSame = undecided.length === days.length;
  if (!isSame || !undecided.every(({ day }, place) => day === days[place])) return "changed";
  for (const { day, local, zone, state } of undecided) {
    if (state !== "planned") {
      await decideOccurrence(transaction, { id, day, decision, reason, actor, at });
      continue;
    }
    await sql`
      insert into occurrence_decisions (schedule_id, day, local, zone, decision, reason)
      values (${id}, ${day}, ${local}, ${zone}, ${decision}, ${reason})
      on conflict (schedule_id, day) do update set local = excluded.local, zone = excluded.zone,
        decision = excluded.decision, reason = excluded.reason, decided_at = now()`.execute(
      transaction,
    );
    const facts = { day, local, zone, reason, before_due: true };
    await appendAudit(transaction, at, {
      actor,
      action: `${decision}_occurrence`,
      object: id,
      facts,
    });
  }
  return "decided";
}
