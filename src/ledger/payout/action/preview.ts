import { type RawBuilder, sql } from "kysely";
import {
  type AssigneeCount,
  type CountedPayouts,
  getAction,
  type PayoutAction,
  storedParts,
} from "#ledger/payout/action/actions.ts";
import {
  LISTED_RESULT,
  NEEDS_NO_ATTENTION,
  NOT_QUALIFIED,
  NOT_RESOLVABLE,
} from "#ledger/payout/action/qualification.ts";
import {
  allOf,
  payoutAlternatives,
  type PayoutFilter,
} from "#ledger/payout/search/payout-filter.ts";
import type { Database } from "#ledger/store/database.ts";
import type { Sealer } from "#ledger/store/sealing.ts";
import { type BulkAction, PREVIEW_MS, SELECTED_MAX } from "#payout/action/payout-action.ts";

/** A selection of payouts, and what is to be done with them. */
export interface ActionOrder {
  readonly id: string;
  readonly action: BulkAction;
  readonly filter: PayoutFilter;
  /** How the payouts were selected, without names or numbers of beneficiaries. */
  readonly selection: Readonly<Record<string, unknown>>;
  readonly actor: string;
  readonly at: Date;
}

/** Thrown to roll back the preview of more payouts than one action may contain. */
export class TooManySelected extends Error {}

/**
 * Stores which payouts an action would change now, and why it would not change the other selected
 * ones. No payout changes.
 *
 * @throws TooManySelected
 */
export async function previewAction(
  transaction: Database,
  sealer: Sealer,
  { id, action, filter, selection, actor, at }: ActionOrder,
): Promise<PayoutAction> {
  await sql`set local statement_timeout = 0`.execute(transaction);
  const counted = await storeRows(
    transaction,
    id,
    action,
    await selected(transaction, sealer, filter),
  );
  const count = counted.reduce((sum, row) => sum + row.count, 0);
  if (count > SELECTED_MAX) throw new TooManySelected();
  const { share, left } = storedParts(counted);
  const assignees = action === "assign" ? await countAssignees(transaction, id) : null;
  const expiresAt = new Date(at.getTime() + PREVIEW_MS);
  await sql`
    insert into payout_actions
      (id, action, selection, created_by, created_at, expires_at, selected, qualifying, excluded, assignees)
    values (${id}, ${action}, ${JSON.stringify(selection)}, ${actor}, ${at}, ${expiresAt}, ${count},
      ${share}, ${left}, ${assignees && JSON.stringify(assignees)})`.execute(transaction);
  return getAction(transaction, id);
}

/** Counts the qualifying payouts of a stored preview by their assignee. */
async function countAssignees(database: Database, id: string): Promise<readonly AssigneeCount[]> {
  const { rows } = await sql<AssigneeCount>`
    select assignee as "user", count(*)::int as count from payout_action_rows
    where action_id = ${id} and excluded is null
    group by 1 order by 2 desc, 1`.execute(database);
  return rows;
}

/** Returns a query for the ids of the selected payouts, one more than allowed at most. */
async function selected(
  database: Database,
  sealer: Sealer,
  filter: PayoutFilter,
): Promise<RawBuilder<unknown>> {
  const { states } = filter;
  const alternatives = await payoutAlternatives(database, sealer, filter, "join");
  if (alternatives.length === 0) return sql`select id from payouts where false`;
  const inState = states ? [sql`p.state = any(${[...states]}::text[])`] : [];
  const each = alternatives.map(
    ({ from, where }) => sql`
      (select p.id from ${from} where ${allOf([...where, ...inState])} limit ${sql.lit(SELECTED_MAX + 1)})`,
  );
  return sql`select id from (${sql.join(each, sql` union `)}) each limit ${sql.lit(SELECTED_MAX + 1)}`;
}

/** Returns what an action needs to know about payout `p`: the finding, evidence and assignee. */
function partsOf(action: BulkAction) {
  if (action === "resolve") {
    return {
      joins: sql`join payout_details d on d.payout_id = p.id cross join ${LISTED_RESULT} listed`,
      reason: NOT_RESOLVABLE,
      values: sql`listed.finding, listed.evidence, null`,
    };
  }
  if (action === "assign") {
    return {
      joins: sql`left join assignments assigned on assigned.payout_id = p.id`,
      reason: NEEDS_NO_ATTENTION,
      values: sql`null, null, assigned.assigned_to`,
    };
  }
  return { joins: sql``, reason: NOT_QUALIFIED[action], values: sql`null, null, null` };
}

/** Stores the selected payouts in one pass, and returns their numbers and sums. */
async function storeRows(
  transaction: Database,
  id: string,
  action: BulkAction,
  ids: RawBuilder<unknown>,
): Promise<readonly CountedPayouts[]> {
  const { joins, reason, values } = partsOf(action);
  const { rows } = await sql<CountedPayouts>`
    with
    selected_payouts as materialized (
      select p.id, p.seq, p.state, p.currency, p.minor_digits, p.amount_minor,
        ${reason} as reason, ${values}
      from (${ids}) chosen
        join payouts p on p.id = chosen.id
        join batches b on b.id = p.batch_id
        ${joins}
    ),
    stored_rows as (
      insert into payout_action_rows (action_id, payout_id, seq, state, excluded, finding, evidence, assignee)
      select ${id}, found.id, found.seq, found.state, found.reason,
        case when found.reason is null then found.finding end,
        case when found.reason is null then found.evidence end,
        case when found.reason is null then found.assignee end
      from selected_payouts found (id, seq, state, currency, minor_digits, amount_minor, reason, finding, evidence, assignee)
    )
    select reason, currency, minor_digits, count(*)::int as count, sum(amount_minor)::text as amount_minor
    from selected_payouts
    group by 1, 2, 3
    order by 2, 1`.execute(transaction);
  return rows;
}
