import { sql } from "kysely";
import {
  digestOf,
  getBreakAction,
  type LeftBreaks,
  type ListedBreak,
  type StoredBreakAction,
} from "#ledger/reconciliation/bulk/break-actions.ts";
import { OPEN_PROPOSAL, whyLeft } from "#ledger/reconciliation/bulk/why-left.ts";
import { type BreakFilter, isInFilter } from "#ledger/reconciliation/breaks.ts";
import type { Database } from "#ledger/store/database.ts";
import { formatMoney } from "#money/format.ts";
import {
  type BreakAction,
  type BreakLeftReason,
  BREAKS_SELECTED_MAX,
} from "#reconciliation/break-action.ts";
import type { BreakClass } from "#reconciliation/break-classes.ts";
import { type BreakKind, kindsOf } from "#reconciliation/break-difference.ts";

/** A selection of breaks, and what is to be done with them. */
export interface BreakOrder {
  readonly id: string;
  readonly action: BreakAction;
  /** The breaks by their numbers, or all that a filter finds. */
  readonly chosen: readonly number[] | BreakFilter;
  readonly actor: string;
  readonly at: Date;
  readonly expiresAt: Date;
}

/** Thrown to roll back the preview of more breaks than one action may contain. */
export class TooManyBreaks extends Error {}

interface SelectedBreak extends ListedBreak {
  readonly class: BreakClass;
  readonly ledgerShows: string | null;
  readonly statementShows: string | null;
  readonly reason: BreakLeftReason | null;
}

const isList = (chosen: BreakOrder["chosen"]): chosen is readonly number[] => Array.isArray(chosen);

/**
 * Stores which breaks an action would change now, in the version that the preview shows, and why it
 * would not change the other selected ones. No break changes.
 *
 * @throws TooManyBreaks
 */
export async function previewBreakAction(
  transaction: Database,
  { id, action, chosen, actor, at, expiresAt }: BreakOrder,
): Promise<StoredBreakAction> {
  const { rows } = await sql<SelectedBreak>`
    with
    selected as materialized (
      select b.id, b.version, b.class, b.ledger_shows, b.statement_shows, r.id as proposal,
        ${whyLeft(action, actor)} as reason
      from breaks b ${OPEN_PROPOSAL}
      where ${isList(chosen) ? sql`b.id = any (${[...chosen]}::bigint[])` : isInFilter(chosen)}
      order by b.id limit ${sql.lit(BREAKS_SELECTED_MAX + 1)}
    ),
    stored as (
      insert into break_action_rows (action_id, break_id, version, proposal, excluded)
      select ${id}, id, version, proposal, reason from selected
    )
    select id, version, proposal, class, ledger_shows as "ledgerShows", statement_shows as "statementShows", reason
    from selected order by id`.execute(transaction);
  if (rows.length > BREAKS_SELECTED_MAX) throw new TooManyBreaks();
  const qualifying = rows.filter(({ reason }) => reason === null);
  const kinds = storedKinds(kindsOf(qualifying));
  const digest = digestOf(action, qualifying);
  const excluded = leftOf(rows.flatMap(({ reason }) => reason ?? []));
  const selection = isList(chosen) ? { breaks: chosen.length } : { filters: Object.keys(chosen) };
  await sql`
    insert into break_actions
      (id, action, selection, created_by, created_at, expires_at, selected, qualifying, excluded, digest)
    values (${id}, ${action}, ${JSON.stringify(selection)}, ${actor}, ${at}, ${expiresAt}, ${rows.length},
      ${JSON.stringify(kinds)}, ${JSON.stringify(excluded)}, ${digest})`.execute(transaction);
  return getBreakAction(transaction, id);
}

/** Writes the sums as exact decimals. */
export const storedKinds = (kinds: readonly BreakKind[]) =>
  kinds.map(({ differences, ...kind }) => ({
    ...kind,
    differences: differences.map((sum) => ({ currency: sum.currency, amount: formatMoney(sum) })),
  }));

/** Counts reasons. */
export const leftOf = (reasons: readonly BreakLeftReason[]): LeftBreaks[] =>
  [...Map.groupBy(reasons, (reason) => reason)].map(([reason, same]) => ({
    reason,
    count: same.length,
  }));
