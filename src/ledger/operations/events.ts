import { sql } from "kysely";
import type { Database } from "#ledger/store/database.ts";

/** A change of a lane on the audit log, or an alarm. */
export interface OperationEvent {
  readonly at: Date;
  /** The action on the audit log, or "alarm". */
  readonly kind: string;
  /** The object of the action, or the code of the alarm. */
  readonly object: string;
  /** The reason, the new name of an account, or the sentence of the alarm. */
  readonly text: string;
  /** Null for alarms. */
  readonly actor: string | null;
}

interface EventsAsked {
  readonly actions: readonly string[];
  readonly hours: number;
  readonly max: number;
}

/** Returns the alarms and these actions of the last hours, newest first, up to a maximum. */
export async function findOperationEvents(
  database: Database,
  { actions, hours, max }: EventsAsked,
): Promise<OperationEvent[]> {
  const { rows } = await sql<OperationEvent>`
    select at, kind, object, coalesce(text, '') as text, actor from (
      (select at::timestamptz as at, action as kind, object, coalesce(facts::json ->> 'reason', facts::json ->> 'after') as text, actor
        from audit where action = any(${[...actions]}) and at::timestamptz > now() - ${hours} * interval '1 hour'
        order by seq desc limit ${max})
      union all
      (select at, 'alarm', object, facts ->> 'text', null
        from notices where event = 'alarm_raised' and at > now() - ${hours} * interval '1 hour'
        order by at desc limit ${max})) e
    order by at desc limit ${max}`.execute(database);
  return rows;
}
