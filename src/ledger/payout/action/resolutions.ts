import { sql } from "kysely";
import { err, ok, type Result } from "#base/result.ts";
import { type AuditLine, appendAudit } from "#ledger/integrity/audit-hash-chain.ts";
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
import { isOpenRow, OPEN_ROWS } from "#ledger/payout/action/open-rows.ts";
import { LISTED_RESULT, NOT_RESOLVABLE } from "#ledger/payout/action/qualification.ts";
import { finishBatch } from "#ledger/payout/finish.ts";
import type { Database } from "#ledger/store/database.ts";

/** An order about one action, by a person. */
export interface ActionDecision {
  readonly id: string;
  readonly actor: string;
  readonly agree: boolean;
  /** For a rejection. */
  readonly reason: string | null;
  readonly at: Date;
}

export type DecideRefusal = "not_found" | "wrong_state";

/**
 * Confirms or rejects all proposals of an action. The database refuses a confirmation by the
 * proposer. Each payout is compared again with its present state and the current statements.
 */
export async function decideAction(
  transaction: Database,
  decision: ActionDecision,
): Promise<Result<PayoutAction, DecideRefusal>> {
  const { id, actor, agree, reason, at } = decision;
  const known = await lockAction(transaction, id);
  if (!known) return err("not_found");
  const isDone = known.state === (agree ? "applied" : "rejected") && known.decidedBy === actor;
  if (isDone) return ok(known);
  if (known.state !== "proposed") return err("wrong_state");
  await sql`set local statement_timeout = 0`.execute(transaction);
  if (agree) {
    await confirmResolutions(transaction, decision);
    return ok(await getAction(transaction, id));
  }
  await sql`
    update payout_resolutions set outcome = 'refused', decided_by = ${actor}, decided_at = ${at}
    where action_id = ${id} and outcome is null`.execute(transaction);
  await sql`
    update payout_actions set state = 'rejected', decided_by = ${actor}, decided_at = ${at},
      decision = ${reason}, changed = '[]'
    where id = ${id}`.execute(transaction);
  await appendAudit(transaction, at, {
    actor,
    action: "refuse_payout_action",
    object: id,
    facts: { action: "resolve", reason },
  });
  return ok(await getAction(transaction, id));
}

/**
 * Confirms the proposals of an action, and resolves the payouts that have not changed. It locks
 * payouts, days of lanes, batches and the audit log in this order. A close locks its days before
 * the log, and a pause its batch.
 *
 * @param earlier the audit lines of earlier changes in this transaction.
 * @throws the refusal of the ledger, if the proposer confirms them.
 */
export async function confirmResolutions(
  transaction: Database,
  { id, actor, at }: ActionDecision,
  earlier: readonly AuditLine[] = [],
): Promise<void> {
  const { counted, digest, batchIds } = await resolvePayouts(transaction, { id, actor, at });
  await sql`
    select from batches where id = any(${batchIds}::text[]) order by id for update`.execute(
    transaction,
  );
  await sql`
    update batches set outcome = null where id = any(${batchIds}::text[])`.execute(transaction);
  for (const line of earlier) await appendAudit(transaction, at, line);
  for (const batchId of batchIds) await finishBatch(transaction, batchId, at);
  const before = await getAction(transaction, id);
  const { share, left } = storedParts([
    ...counted,
    ...(before.left ?? []).map((each) => ({
      ...each,
      currency: "",
      minor_digits: 0,
      amount_minor: "0",
    })),
  ]);
  await sql`
    update payout_actions set state = 'applied', decided_by = ${actor}, decided_at = ${at},
      changed = ${share}, left_out = ${left}, digest = ${digest}
    where id = ${id}`.execute(transaction);
  const payouts = counted.reduce((sum, row) => sum + (row.reason === null ? row.count : 0), 0);
  await appendAudit(transaction, at, {
    actor,
    action: "confirm_payout_action",
    object: id,
    facts: {
      action: "resolve",
      proposed_by: before.createdBy,
      payouts,
      left: JSON.parse(left),
      digest,
    },
  });
}

/** The payouts of an action whose outcome is open, and the reasons why some are not resolved. */
const lockedProposals = (id: string) => sql`
      select p.id, p.state as from_state, r.id as resolution_id, p.currency, p.minor_digits, p.amount_minor,
        'resolved_' || r.finding || ': ' || r.evidence as result,
        coalesce(${NOT_RESOLVABLE}, case when r.id is null or (p.seq, listed.finding, listed.evidence)
          is distinct from (r.seq, r.finding, r.evidence) then 'moved' end) as reason
      from ${OPEN_ROWS}
        join payouts p on p.id = previewed.payout_id
        join payout_details d on d.payout_id = p.id
        left join payout_resolutions r
          on r.action_id = previewed.action_id and r.payout_id = p.id and r.outcome is null
        cross join ${LISTED_RESULT} listed
      where ${isOpenRow(id)}
      order by p.id
      for update of p`;

/**
 * Decides each open proposal by the present state of its payout, records the outcome, and resolves
 * the payouts of the confirmed proposals as makeMoves does. One statement finds each row once.
 */
async function resolvePayouts(
  transaction: Database,
  { id, actor, at }: Pick<ActionDecision, "id" | "actor" | "at">,
): Promise<ChangedPayouts> {
  const agreed = actor.startsWith("cli:") ? "alone" : "agreed";
  const { rows } = await sql<ChangedRow>`
    with
    locked_payouts as materialized (${lockedProposals(id)}),
    decided_proposals as (
      update payout_resolutions
      set outcome = case when locked_payouts.reason is null then ${agreed} else 'refused' end,
        decided_by = ${actor}, decided_at = ${at}
      from locked_payouts
      where payout_resolutions.id = locked_payouts.resolution_id
    ),
    ${recordOutcomes(id)},
    updated_payouts as (
      update payouts
      set
        state = 'resolved',
        seq = payouts.seq + 1,
        reason = locked_payouts.result,
        due_at = now(),
        status_queries = 0,
        status_answer = null,
        status_answer_times = 0,
        status_answer_since = null,
        status_answer_at = null,
        silent_since = null,
        double_payment_check_at = case when payouts.resent then now() end,
        updated_at = now()
      from locked_payouts
      where payouts.id = locked_payouts.id
        and locked_payouts.reason is null
      returning payouts.id, payouts.seq, payouts.batch_id, payouts.currency, payouts.amount_minor,
        payouts.reason, locked_payouts.from_state
    ),
    recorded_transitions as (
      insert into transitions (payout_id, seq, event, from_state, to_state, reason, actor)
      select id, seq, 'resolve', from_state, 'resolved', reason, ${actor}
      from updated_payouts
    )
    ${selectChanged(sql`'resolved'`)}`.execute(transaction);
  return changedPayouts(rows);
}
