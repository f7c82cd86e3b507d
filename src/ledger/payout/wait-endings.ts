import { type RawBuilder, sql } from "kysely";
import type { Database } from "#ledger/store/database.ts";

/** A proposal to end the wait of a payout in doubt, before an approver has confirmed it. */
export interface ProposedWaitEnding {
  readonly id: number;
  /** The reason why no earlier request can be in progress. */
  readonly reason: string;
  readonly proposedBy: string;
  readonly at: Date;
}

/** The version of a payout that was viewed. */
interface Seen {
  readonly payoutId: number;
  readonly seq: number;
}

/**
 * Condition that two people have ended the wait of payout `p`, after the end of its last attempt.
 * It applies to this doubt only: a code that is sent again waits again.
 */
export const isWaitEnded: RawBuilder<boolean> = sql<boolean>`exists (
    select from wait_endings w where w.payout_id = p.id and w.seq = p.seq and w.outcome = 'agreed'
      and w.decided_at > p.unanswered_at)`;

/**
 * Returns the proposal that can still be confirmed, or null if there is none for the current state
 * of the payout.
 */
export async function findProposedWaitEnding(
  database: Database,
  { payoutId, seq }: Seen,
): Promise<ProposedWaitEnding | null> {
  const { rows } = await sql<ProposedWaitEnding>`
    select id, reason, proposed_by as "proposedBy", at from wait_endings
    where payout_id = ${payoutId} and seq = ${seq} and outcome is null`.execute(database);
  return rows[0] ?? null;
}

/**
 * Returns the codes of payouts in doubt for which an approver must confirm ending the wait,
 * oldest proposal first.
 */
export async function findWaitEndingsToConfirm(
  database: Database,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ code: string }>`
    select d.transaction_code as code from wait_endings w join payouts p on p.id = w.payout_id
    join payout_details d on d.payout_id = p.id
    where w.outcome is null and p.state = 'in_doubt' and p.seq = w.seq and p.unanswered_at is not null
    order by w.id limit ${limit}`.execute(database);
  return rows.map(({ code }) => code);
}

/** Proposes to end the wait, in place of the previous proposal. */
export async function insertWaitEnding(
  transaction: Database,
  ending: Seen & { readonly reason: string; readonly proposedBy: string; readonly at: Date },
): Promise<void> {
  const { payoutId, seq, reason, proposedBy, at } = ending;
  // The lock makes simultaneous proposals wait for each other.
  await sql`select from payouts where id = ${payoutId} for update`.execute(transaction);
  await sql`
    update wait_endings set outcome = 'replaced', decided_by = ${proposedBy}, decided_at = ${at}
    where payout_id = ${payoutId} and outcome is null`.execute(transaction);
  await sql`
    insert into wait_endings (payout_id, seq, reason, proposed_by, at)
    values (${payoutId}, ${seq}, ${reason}, ${proposedBy}, ${at})`.execute(transaction);
}
