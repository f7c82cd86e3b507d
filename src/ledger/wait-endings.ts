import { type RawBuilder, sql } from "kysely";
import type { Database } from "#ledger/database.ts";

/** A proposal to end the wait of a payout in doubt, before an approver has confirmed it. */
export interface OpenWaitEnding {
  readonly id: number;
  /** Why no earlier request can be in progress. */
  readonly words: string;
  readonly proposedBy: string;
  readonly at: Date;
}

/** A payout as it was seen. */
interface Seen {
  readonly payoutId: number;
  readonly seq: number;
}

/**
 * Two people have ended the wait of the payout `p`, after the end of its last attempt. It holds for this doubt alone: a code that
 * is sent again waits anew.
 */
export const isWaitEnded: RawBuilder<boolean> = sql<boolean>`exists (
    select from wait_endings w where w.payout_id = p.id and w.seq = p.seq and w.outcome = 'agreed'
      and w.decided_at > p.unanswered_at)`;

/** The proposal that can still be confirmed; null: there is none for the payout as it is. */
export async function openWaitEnding(
  database: Database,
  { payoutId, seq }: Seen,
): Promise<OpenWaitEnding | null> {
  const { rows } = await sql<OpenWaitEnding>`
    select id, words, proposed_by as "proposedBy", at from wait_endings
    where payout_id = ${payoutId} and seq = ${seq} and outcome is null`.execute(database);
  return rows[0] ?? null;
}

/** Proposes to end the wait, in place of the proposal before it. */
export async function insertWaitEnding(
  transaction: Database,
  ending: Seen & { readonly words: string; readonly proposedBy: string; readonly at: Date },
): Promise<void> {
  const { payoutId, seq, words, proposedBy, at } = ending;
  // Two proposals at once wait for each other.
  await sql`select from payouts where id = ${payoutId} for update`.execute(transaction);
  await sql`
    update wait_endings set outcome = 'replaced', decided_by = ${proposedBy}, decided_at = ${at}
    where payout_id = ${payoutId} and outcome is null`.execute(transaction);
  await sql`
    insert into wait_endings (payout_id, seq, words, proposed_by, at)
    values (${payoutId}, ${seq}, ${words}, ${proposedBy}, ${at})`.execute(transaction);
}
