import { type RawBuilder, sql } from "kysely";
import type { BreakAction } from "#reconciliation/break-action.ts";

/** Joins the proposal `r` that waits for confirmation of a break `b`. */
export const OPEN_PROPOSAL = sql`left join break_resolutions r
        on r.break_id = b.id and r.version = b.version and r.outcome is null`;

/** Whether the actor is the operator of this machine, who decides only if there is no approver. */
export const isCommandLine = (actor: string): boolean => actor.startsWith("cli:");

const isOwn = (actor: string): RawBuilder<unknown> => {
  const person = actor.startsWith("user:") ? actor.slice(5) : null;
  return sql`(r.proposed_by = ${actor}
    or ${person}::text is not null and stands_behind(${person}::text, r.proposed_by))`;
};

/** The reason why an action does not apply to a break `b` with the proposal `r`; null: it does. */
export function whyLeft(action: BreakAction, actor: string): RawBuilder<unknown> {
  const own = isCommandLine(actor) ? sql`` : sql`when ${isOwn(actor)} then 'own_proposal'`;
  const further = {
    assign: sql``,
    propose: sql`when r.id is not null then 'proposed'`,
    confirm: isCommandLine(actor)
      ? sql`when r.id is null then 'not_proposed'
          when r.proposed_by not like 'cli:%' then 'needs_approver'`
      : sql`when r.id is null then 'not_proposed' ${own}`,
    reject: sql`when r.id is null then 'not_proposed' ${own}`,
  }[action];
  return sql`case when b.state not in ('open', 'proposed') then 'finished' ${further} end`;
}
