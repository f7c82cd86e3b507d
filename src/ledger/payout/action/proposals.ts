import { sql } from "kysely";
import { type AuditLine, appendAudit } from "#ledger/integrity/audit-hash-chain.ts";
import {
  type CountedPayouts,
  getAction,
  type PayoutAction,
  storedParts,
} from "#ledger/payout/action/actions.ts";
import { changedListDigest } from "#ledger/payout/action/changed-list.ts";
import { isOpenRow, OPEN_ROWS, TOTALS } from "#ledger/payout/action/open-rows.ts";
import { LISTED_RESULT, NOT_RESOLVABLE } from "#ledger/payout/action/qualification.ts";
import { confirmResolutions } from "#ledger/payout/action/resolutions.ts";
import { hasApprover } from "#ledger/payout/resolution-refusals.ts";
import type { Database } from "#ledger/store/database.ts";

/**
 * Proposes the results that statements list. Each proposal is one of payout_resolutions, in place
 * of an earlier one. On the command line of a ledger without approvers it takes effect immediately.
 */
export async function proposeResolutions(
  transaction: Database,
  { id }: PayoutAction,
  { actor, reason, at }: { readonly actor: string; readonly reason: string; readonly at: Date },
): Promise<PayoutAction> {
  const counted = await lockPreviewed(transaction, id);
  const digest = await insertProposals(transaction, id, actor, at);
  const { share, left } = storedParts(counted);
  await sql`
    update payout_actions set state = 'proposed', reason = ${reason}, applied_at = ${at},
      changed = ${share}, left_out = ${left}
    where id = ${id}`.execute(transaction);
  const payouts = counted.reduce((sum, row) => sum + (row.reason === null ? row.count : 0), 0);
  const line: AuditLine = {
    actor,
    action: "propose_payout_action",
    object: id,
    facts: { action: "resolve", reason, payouts, left: JSON.parse(left), digest },
  };
  const isAlone = actor.startsWith("cli:") && !(await hasApprover(transaction));
  const decision = { id, actor, agree: true, reason: null, at };
  if (isAlone) await confirmResolutions(transaction, decision, [line]);
  else await appendAudit(transaction, at, line);
  return getAction(transaction, id);
}

/** Locks the previewed payouts, and records those that have changed as left. */
async function lockPreviewed(transaction: Database, id: string): Promise<CountedPayouts[]> {
  const { rows } = await sql<{ counted: CountedPayouts[] | null }>`
    with
    locked_payouts as materialized (
      select p.id, p.currency, p.minor_digits, p.amount_minor,
        coalesce(${NOT_RESOLVABLE}, case when (p.seq, listed.finding, listed.evidence)
          is distinct from (previewed.seq, previewed.finding, previewed.evidence) then 'moved' end) as reason
      from payout_action_rows previewed
        join payouts p on p.id = previewed.payout_id
        join payout_details d on d.payout_id = p.id
        cross join ${LISTED_RESULT} listed
      where previewed.action_id = ${id}
        and previewed.excluded is null
      order by p.id
      for update of p
    ),
    recorded_outcomes as (
      insert into payout_action_outcomes (action_id, payout_id, outcome)
      select ${id}, locked_payouts.id, locked_payouts.reason
      from locked_payouts
      where reason is not null
    )
    select (${TOTALS}) as counted`.execute(transaction);
  return rows[0]?.counted ?? [];
}

/** Inserts the proposals. Returns the digest of their list. */
async function insertProposals(
  transaction: Database,
  id: string,
  actor: string,
  at: Date,
): Promise<string> {
  await sql`
    update payout_resolutions set outcome = 'replaced', decided_by = ${actor}, decided_at = ${at}
    where outcome is null and payout_id in (
      select previewed.payout_id from ${OPEN_ROWS} where ${isOpenRow(id)})`.execute(transaction);
  await sql`
    insert into payout_resolutions (payout_id, seq, finding, evidence, proposed_by, at, action_id)
    select previewed.payout_id, previewed.seq, previewed.finding, previewed.evidence, ${actor}, ${at}, ${id}
    from ${OPEN_ROWS}
    where ${isOpenRow(id)}`.execute(transaction);
  const { rows } = await sql<{ digest: string }>`
    select ${changedListDigest(sql`changed.finding`)} as digest
    from (
      select p.id, p.currency, p.amount_minor, p.state as from_state, r.finding
      from payout_resolutions r join payouts p on p.id = r.payout_id
      where r.action_id = ${id}) changed
      join payout_details d on d.payout_id = changed.id`.execute(transaction);
  return rows[0]?.digest ?? "";
}
