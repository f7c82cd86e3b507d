import { sql } from "kysely";
import { err, ok, type Result } from "#base/result.ts";
import { createAssignmentNotice } from "#ledger/notification/assignment-notices.ts";
import { appendAudit } from "#ledger/integrity/audit-hash-chain.ts";
import {
  type CountedPayouts,
  getAction,
  lockAction,
  type PayoutAction,
  storedParts,
} from "#ledger/payout/action/actions.ts";
import type { ApplyRefusal } from "#ledger/payout/action/apply.ts";
import { changedListDigest } from "#ledger/payout/action/changed-list.ts";
import { TOTALS } from "#ledger/payout/action/open-rows.ts";
import { NEEDS_NO_ATTENTION } from "#ledger/payout/action/qualification.ts";
import type { Database } from "#ledger/store/database.ts";

/** An order to assign the payouts of a preview. */
export interface AssignOrder {
  readonly id: string;
  readonly actor: string;
  /** The ID of a user. Null: nobody. */
  readonly to: string | null;
  readonly at: Date;
}

export type AssignRefusal = Exclude<ApplyRefusal, "ledger_frozen">;

/**
 * Assigns exactly the previewed payouts that still qualify and that still have the same assignee,
 * in one transaction with one line on the audit log. No payout changes. An action that was applied
 * before is returned as it is, so a caller who has lost the answer may repeat the request.
 */
export async function assignPayouts(
  transaction: Database,
  order: AssignOrder,
): Promise<Result<PayoutAction, AssignRefusal>> {
  const { id, actor, to, at } = order;
  const known = await lockAction(transaction, id);
  if (known?.action !== "assign") return err("not_found");
  if (known.createdBy !== actor) return err("not_own_preview");
  if (known.state !== "previewed") return ok(known);
  if (known.expiresAt <= at) return err("preview_expired");
  await sql`set local statement_timeout = 0`.execute(transaction);
  const { counted, digest, newlyAssigned } = await assignRows(transaction, order);
  const { share, left } = storedParts(counted);
  await sql`
    update payout_actions set state = 'applied', applied_at = ${at}, assigned_to = ${to},
      changed = ${share}, left_out = ${left}, digest = ${digest}
    where id = ${id}`.execute(transaction);
  const action = await getAction(transaction, id);
  if (newlyAssigned > 0)
    await createAssignmentNotice(transaction, {
      kind: "payout_action",
      object: id,
      what: newlyAssigned === 1 ? "1 payout" : `${newlyAssigned} payouts`,
      to: to === null ? null : `user:${to}`,
      actor,
      at,
    });
  // All writers of the audit log wait for this line's transaction, so it comes last.
  await appendAudit(transaction, at, {
    actor,
    action: "apply_payout_action",
    object: id,
    facts: {
      action: "assign",
      to: to === null ? null : `user:${to}`,
      payouts: action.changed?.count ?? 0,
      left: action.left,
      digest,
    },
  });
  return ok(action);
}

interface AssignedRows {
  readonly counted: readonly CountedPayouts[];
  readonly digest: string;
  /** Payouts that had another assignee before. */
  readonly newlyAssigned: number;
}

/**
 * Assigns the payouts in one statement. It does not lock them, so workers go on meanwhile. An
 * assignment that somebody else has changed since the preview stays as it is.
 *
 * PostgreSQL has no statistics of the new preview. It would join the made assignments in a nested
 * loop, but hashes them for `not in`.
 */
async function assignRows(transaction: Database, { id, to }: AssignOrder): Promise<AssignedRows> {
  const { rows } = await sql<{
    counted: CountedPayouts[] | null;
    digest: string;
    newlyAssigned: number;
  }>`
    with
    found_payouts as materialized (
      select p.id, d.transaction_code as code, p.state as from_state, p.currency, p.minor_digits, p.amount_minor,
        previewed.assignee,
        coalesce(${NEEDS_NO_ATTENTION}, case when p.state <> previewed.state then 'moved' end) as reason
      from payout_action_rows previewed
        join payouts p on p.id = previewed.payout_id
        join payout_details d on d.payout_id = p.id
      where previewed.action_id = ${id}
        and previewed.excluded is null
    ),
    made_assignments as (
      insert into assignments (object, payout_id, assigned_to)
      select code, id, ${to}::text from found_payouts where reason is null
      on conflict (object) do update set assigned_to = excluded.assigned_to
      where assignments.assigned_to is not distinct from (
        select r.assignee from payout_action_rows r
        where r.action_id = ${id} and r.payout_id = assignments.payout_id)
      returning payout_id
    ),
    locked_payouts as materialized (
      select id, from_state, currency, minor_digits, amount_minor, assignee, coalesce(reason,
        case when id not in (select payout_id from made_assignments) then 'reassigned' end) as reason
      from found_payouts
    ),
    recorded_outcomes as (
      insert into payout_action_outcomes (action_id, payout_id, outcome)
      select ${id}, id, coalesce(reason, 'changed') from locked_payouts
    )
    select
      (${TOTALS}) as counted,
      (select ${changedListDigest(sql`changed.from_state`)}
        from locked_payouts changed join payout_details d on d.payout_id = changed.id
        where changed.reason is null) as digest,
      (select count(*) from locked_payouts where reason is null and assignee is distinct from ${to}::text)::int
        as "newlyAssigned"`.execute(transaction);
  const [row] = rows;
  if (!row) throw new Error("the database returned no rows");
  return { ...row, counted: row.counted ?? [] };
}
