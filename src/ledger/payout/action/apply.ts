import { type RawBuilder, sql } from "kysely";
import { appendAudit } from "#ledger/integrity/audit-hash-chain.ts";
import {
  getAction,
  lockAction,
  type PayoutAction,
  storedParts,
} from "#ledger/payout/action/actions.ts";
import {
  type ChangedPayouts,
  changedPayouts,
  type ChangedRow,
  recordOutcomes,
  selectChanged,
} from "#ledger/payout/action/changed-list.ts";
import { type Change, NOT_QUALIFIED } from "#ledger/payout/action/qualification.ts";
import { proposeResolutions } from "#ledger/payout/action/proposals.ts";
import type { Database } from "#ledger/store/database.ts";
import { err, ok, type Result } from "#base/result.ts";
import { LIFECYCLE } from "#payout/payout-lifecycle.ts";
import { storedReason } from "#payout/reasons.ts";

/** An order to apply a preview. */
export interface ApplyOrder {
  readonly id: string;
  readonly actor: string;
  readonly reason: string;
  readonly at: Date;
}

export type ApplyRefusal = "not_found" | "not_own_preview" | "preview_expired" | "ledger_frozen";

/** An applied action, and the batches of its payouts. */
export interface AppliedAction {
  readonly action: PayoutAction;
  readonly batchIds: readonly string[];
}

/**
 * Changes exactly the previewed payouts that still qualify, in one transaction with one line on the
 * audit log. A resolution is only proposed. An action that was applied before is returned as it is,
 * so a caller who has lost the answer may repeat the request.
 */
export async function applyAction(
  transaction: Database,
  order: ApplyOrder,
): Promise<Result<AppliedAction, ApplyRefusal>> {
  const { id, actor, at } = order;
  const known = await lockAction(transaction, id);
  if (!known || known.action === "assign") return err("not_found");
  if (known.createdBy !== actor) return err("not_own_preview");
  if (known.state !== "previewed") return ok({ action: known, batchIds: [] });
  if (known.expiresAt <= at) return err("preview_expired");
  await sql`set local statement_timeout = 0`.execute(transaction);
  if (known.action === "resolve") {
    return ok({ action: await proposeResolutions(transaction, known, order), batchIds: [] });
  }
  const made = await changePayouts(transaction, known, order);
  const { share, left } = storedParts(made.counted);
  await sql`
    update payout_actions set state = 'applied', reason = ${order.reason}, applied_at = ${at},
      changed = ${share}, left_out = ${left}, digest = ${made.digest}
    where id = ${id}`.execute(transaction);
  const action = await getAction(transaction, id);
  // All writers of the audit log wait for this line's transaction, so it comes last.
  await appendAudit(transaction, at, {
    actor,
    action: "apply_payout_action",
    object: id,
    facts: {
      action: known.action,
      reason: order.reason,
      payouts: action.changed?.count ?? 0,
      left: action.left,
      digest: made.digest,
    },
  });
  return ok({ action, batchIds: made.batchIds });
}

/** Returns the reason that is stored with the new state. */
const reasonAfter = (action: Exclude<Change, "query">, reason: string): string | null =>
  ({
    hold_back: storedReason("held_back", reason),
    release: null,
    cancel: storedReason("cancelled", reason),
  })[action];

/** New values of the columns. A query changes no state: only its time. */
const changesOf = (action: Change, reason: string): RawBuilder<unknown> => {
  if (action === "query") return sql`due_at = least(payouts.due_at, now())`;
  return sql`
        state = ${LIFECYCLE[action].to},
        seq = payouts.seq + 1,
        reason = ${reasonAfter(action, reason)},
        due_at = ${action === "hold_back" ? sql`payouts.due_at` : sql`now()`},
        updated_at = now()`;
};

/** A payout that moved since the preview is left, even if it came back to the same state. */
const whyLeft = (action: Change) =>
  action === "query"
    ? NOT_QUALIFIED.query
    : sql`coalesce(${NOT_QUALIFIED[action]}, case when p.seq <> previewed.seq then 'moved' end)`;

/** Writes that only some actions make, for each changed payout. */
function furtherWrites(action: Change, { reason, actor }: ApplyOrder): RawBuilder<unknown> {
  if (action === "query") return sql``;
  const { to } = LIFECYCLE[action];
  // A cancelled payout no longer pays a declined one again, so another batch may.
  const ended =
    action === "cancel"
      ? sql`
    ended_retries as (
      update descendants set live = false from updated_payouts where payout_id = updated_payouts.id
    ),`
      : sql``;
  return sql`${ended}
    recorded_transitions as (
      insert into transitions (payout_id, seq, event, from_state, to_state, reason, actor)
      select id, seq, ${action}, from_state, ${to}, ${reasonAfter(action, reason)}, ${actor}
      from updated_payouts
    ),`;
}

/** Changes the payouts in one statement, which reads the preview once. */
async function changePayouts(
  transaction: Database,
  { id, action }: PayoutAction,
  order: ApplyOrder,
): Promise<ChangedPayouts> {
  const change = action as Change;
  const to = change === "query" ? sql`changed.from_state` : sql`${LIFECYCLE[change].to}::text`;
  const { rows } = await sql<ChangedRow>`
    with
    locked_payouts as materialized (
      select p.id, p.state as from_state, p.batch_id, p.currency, p.minor_digits, p.amount_minor,
        ${whyLeft(change)} as reason
      from payout_action_rows previewed
        join payouts p on p.id = previewed.payout_id
        join batches b on b.id = p.batch_id
      where previewed.action_id = ${id}
        and previewed.excluded is null
      order by p.id
      for update of p
    ),
    updated_payouts as (
      update payouts
      set ${changesOf(change, order.reason)}
      from locked_payouts
      where payouts.id = locked_payouts.id
        and locked_payouts.reason is null
      returning payouts.id, payouts.seq, payouts.currency, payouts.amount_minor, payouts.batch_id,
        locked_payouts.from_state
    ),
    ${furtherWrites(change, order)}
    ${recordOutcomes(id)}
    ${selectChanged(to)}`.execute(transaction);
  return changedPayouts(rows);
}
