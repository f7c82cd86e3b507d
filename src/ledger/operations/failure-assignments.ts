import { sql } from "kysely";
import type { Database } from "#ledger/store/database.ts";
import { IS_REPLACED_BY_RETRY } from "#ledger/payout/lane/retry-results.ts";
import { FAILURE_REASON } from "#ledger/operations/failure-groups.ts";
import type { FailingState } from "#payout/failure-explanations.ts";
import type { PayoutState } from "#payout/payout-lifecycle.ts";

/** The state and reason that the payouts of some failure groups share. */
export interface FailureKey {
  readonly state: FailingState;
  readonly reason: string | null;
}

/** The object of an assignment: all payouts with a cause, including future ones, or one payout. */
export type AssignmentSubject =
  | { readonly cause: FailureKey }
  | { readonly code: string; readonly payoutId: number };

/** The assigned user, and the time until which the line is snoozed. */
export interface Assignment {
  readonly assignedTo: {
    readonly id: string;
    readonly name: string;
    readonly isActive: boolean;
  } | null;
  readonly snooze: { readonly until: Date; readonly by: string; readonly seenAt: Date } | null;
}
export const UNASSIGNED: Assignment = { assignedTo: null, snooze: null };

/** Returns the name of the object on the audit log. */
export const auditObjectOf = (subject: AssignmentSubject): string =>
  "cause" in subject ? failureGroupObject(subject.cause) : subject.code;
/** Returns the name of a failure group in the audit log. */
export const failureGroupObject = ({ state, reason }: FailureKey): string =>
  `failure_group:${state}:${reason ?? ""}`;

/**
 * Returns whether there is a payout with this cause, and if a time is given, one that changed after
 * it.
 */
export async function hasPayouts(
  database: Database,
  { state, reason }: FailureKey,
  after: Date | null = null,
): Promise<boolean> {
  const { rows } = await sql`
    select from payouts p where p.state = ${state} and ${
      reason === null
        ? sql`p.reason is null`
        : // The first condition is that of an index.
          sql`p.reason is not null and split_part(p.reason, ':', 1) = ${reason.split(":", 1)[0]} and ${FAILURE_REASON} = ${reason}`
    } and not ${IS_REPLACED_BY_RETRY} ${after ? sql`and p.updated_at > ${after}` : sql``} limit 1`.execute(
    database,
  );
  return rows.length > 0;
}

interface PayoutVersion {
  readonly payoutId: number;
  readonly state: PayoutState;
  readonly reason: string | null;
  readonly updatedAt: Date;
}

/** Returns the current state of the payout with this code, or null if there is none. */
export async function findPayoutVersion(
  database: Database,
  code: string,
): Promise<PayoutVersion | null> {
  const { rows } = await sql<PayoutVersion>`
    select p.id as "payoutId", p.state, p.reason, p.updated_at as "updatedAt"
    from payout_details d join payouts p on p.id = d.payout_id where d.transaction_code = ${code}`.execute(
    database,
  );
  return rows[0] ?? null;
}

const keysOf = (subject: AssignmentSubject) =>
  "cause" in subject
    ? { ...subject.cause, payoutId: null }
    : { state: null, reason: null, payoutId: subject.payoutId };

/** Assigns the object. Returns false if it is not assigned to `from`. */
export async function setAssignee(
  transaction: Database,
  subject: AssignmentSubject,
  { to, from }: { readonly to: string | null; readonly from: string | null | undefined },
): Promise<boolean> {
  const { state, reason, payoutId } = keysOf(subject);
  const isWhose =
    from === undefined
      ? sql`true`
      : sql`assignments.assigned_to is not distinct from ${from}::text`;
  const { rows } = await sql`
    insert into assignments (object, state, reason, payout_id, assigned_to)
    values (${auditObjectOf(subject)}, ${state}, ${reason}, ${payoutId}, ${to})
    on conflict (object) do update set assigned_to = excluded.assigned_to where ${isWhose}
    returning object`.execute(transaction);
  return rows.length === 1;
}

/**
 * Sets or ends the snooze.
 *
 * @param snooze null: the line is shown again.
 */
export async function setSnooze(
  transaction: Database,
  subject: AssignmentSubject,
  snooze: Assignment["snooze"],
): Promise<void> {
  const { state, reason, payoutId } = keysOf(subject);
  const { until, by, seenAt } = snooze ?? { until: null, by: null, seenAt: null };
  // The time is limited to now: a caller whose clock is fast cannot have seen later changes.
  await sql`
    insert into assignments (object, state, reason, payout_id, snoozed_until, snoozed_by, seen_at)
    values (${auditObjectOf(subject)}, ${state}, ${reason}, ${payoutId}, ${until}, ${by},
      case when ${seenAt}::timestamptz is not null then least(${seenAt}::timestamptz, now()) end)
    on conflict (object) do update set snoozed_until = excluded.snoozed_until,
      snoozed_by = excluded.snoozed_by, seen_at = excluded.seen_at`.execute(transaction);
}

interface AssignmentRow {
  readonly object: string;
  readonly user_id: string | null;
  readonly name: string | null;
  readonly is_active: boolean;
  readonly snoozed_until: Date | null;
  readonly snoozed_by: string | null;
  readonly seen_at: Date | null;
}

/** Returns the assignments and snoozes of these objects, by their name on the audit log. */
export async function findAssignments(
  database: Database,
  objects: readonly string[],
): Promise<ReadonlyMap<string, Assignment>> {
  if (objects.length === 0) return new Map();
  const { rows } = await sql<AssignmentRow>`
    select t.object, u.id as user_id, u.name, u.disabled_at is null as is_active,
      t.snoozed_until, t.snoozed_by, t.seen_at
    from assignments t left join users u on u.id = t.assigned_to
    where t.object = any(${[...objects]})`.execute(database);
  return new Map(rows.map((row) => [row.object, assignmentOf(row)]));
}

const assignmentOf = (row: AssignmentRow): Assignment => ({
  assignedTo:
    row.user_id === null || row.name === null
      ? null
      : { id: row.user_id, name: row.name, isActive: row.is_active },
  snooze:
    row.snoozed_until && row.snoozed_by && row.seen_at
      ? { until: row.snoozed_until, by: row.snoozed_by, seenAt: row.seen_at }
      : null,
});

/** A comment on a failure group. */
export interface Comment {
  readonly at: Date;
  readonly actor: string;
  readonly text: string;
}

/** Returns the latest comments on each of these objects, newest first. */
export async function findComments(
  database: Database,
  objects: readonly string[],
  limit: number,
): Promise<ReadonlyMap<string, readonly Comment[]>> {
  const { rows } = await sql<{ object: string; at: string; actor: string; facts: string }>`
    select o.object, n.* from unnest(${[...objects]}::text[]) as o(object) cross join lateral (
      select a.at, a.actor, a.facts from audit a
      -- Lines from before migrations 0057 and 0052 have the old names of the object and the state.
      where a.action = 'note' and a.object in (o.object, regexp_replace(o.object, '^failure_group:', 'cause:'),
        regexp_replace(o.object, '^failure_group:on_hold:', 'cause:held:'))
      order by a.seq desc limit ${limit}) n`.execute(database);
  const said = rows.map(({ object, at, actor, facts }) => {
    const { text } = JSON.parse(facts) as { text: string };
    return { object, at: new Date(at), actor, text };
  });
  return Map.groupBy(said, ({ object }) => object);
}

/** Returns all users who can sign in, by name. */
export async function findAssignableUsers(
  database: Database,
): Promise<{ id: string; name: string }[]> {
  return database
    .selectFrom("users")
    .select(["id", "name"])
    .where("disabled_at", "is", null)
    .where("password", "is not", null)
    .orderBy(sql`lower(name)`)
    .orderBy("id")
    .execute();
}

/** Returns the current time by the clock of the ledger, which also dates its changes. */
export async function findLedgerTime(database: Database): Promise<Date> {
  const { rows } = await sql<{ at: Date }>`select now() as at`.execute(database);
  return rows[0]?.at ?? new Date(0);
}
