import type { ReconciliationTasks } from "#api/operations/home-tasks.ts";
import { findActedBy, findActorNames } from "#ledger/people/names.ts";
import { findProposedStatements } from "#ledger/reconciliation/statements.ts";
import {
  countOpenBreaks,
  countProposedBreaks,
  findDaysToDo,
} from "#ledger/reconciliation/work-to-do.ts";
import type { Database } from "#ledger/store/database.ts";
import { closeRefusal } from "#reconciliation/day-close.ts";
import { businessDay } from "#reconciliation/statement-time.ts";
import type { Person } from "#views/person.ts";

const NO_BREAKS = { count: 0, oldestAt: null };

/** Returns the tasks of this person in reconciliation; none without the permissions. */
export async function reconciliationTasks(
  person: Person,
  database: Database,
): Promise<ReconciliationTasks> {
  const operates = person.permissions.has("operate");
  const approves = person.kind === "user" && person.permissions.has("approve");
  const [open, proposed, statements, days] = await Promise.all([
    operates ? countOpenBreaks(database) : NO_BREAKS,
    approves ? countProposedBreaks(database) : [],
    approves ? findProposedStatements(database) : [],
    operates ? daysToClose(database) : [],
  ]);
  const actors = [
    ...proposed.map(({ proposedBy }) => proposedBy),
    ...statements.map(({ actor }) => actor),
  ];
  const own = actors.length === 0 ? new Set() : await findActedBy(database, person.actor, actors);
  const nameOf = await findActorNames(database, actors);
  const others = proposed.filter(({ proposedBy }) => !own.has(proposedBy));
  return {
    breaks: { count: open.count, oldest_at: open.oldestAt?.toISOString() ?? null },
    break_proposals: others.reduce((sum, { count }) => sum + count, 0),
    statements: statements.flatMap(({ id, lane, day, actor, at }) =>
      own.has(actor) ? [] : [{ id, lane, day, by: nameOf(actor), since: at.toISOString() }],
    ),
    days,
  };
}

/** Returns the number of these tasks, as the rail shows it. */
export const countReconciliation = (tasks: ReconciliationTasks): number =>
  tasks.breaks.count + tasks.break_proposals + tasks.statements.length + tasks.days.length;

async function daysToClose(database: Database): Promise<ReconciliationTasks["days"]> {
  const now = new Date();
  const next = await findDaysToDo(database);
  return next.flatMap(({ lane, day, zone, startsAt, endsAt }) => {
    const { from, to } = businessDay(day, zone);
    const refusal = closeRefusal({
      day,
      startsAt: from,
      endsAt: to,
      now,
      firstDay: day,
      isClosed: false,
      areEarlierClosed: true,
      hasUnfinishedStatement: false,
      statement: startsAt && endsAt && { startsAt, endsAt },
    });
    return refusal === null ? [{ lane, day, has_statement: startsAt !== null }] : [];
  });
}
