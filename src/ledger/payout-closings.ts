import { sql } from "kysely";
import type { Database } from "#ledger/database.ts";

/** What somebody has found out elsewhere about a held payout. */
export interface Finding {
  readonly arrived: boolean;
  /** By which evidence. */
  readonly words: string;
}

/** A finding that waits for an approver to agree. */
export interface OpenClosing extends Finding {
  readonly id: number;
  readonly proposedBy: string;
  readonly at: Date;
}

/** A payout as it was seen. */
interface Seen {
  readonly payoutId: number;
  readonly seq: number;
}

/** The closing that can still be agreed to. Null: nobody has proposed one for the payout as it stands. */
export async function openClosing(
  database: Database,
  { payoutId, seq }: Seen,
): Promise<OpenClosing | null> {
  const { rows } = await sql<OpenClosing>`
    select id, finding = 'arrived' as arrived, words, proposed_by as "proposedBy", at from payout_closings
    where payout_id = ${payoutId} and seq = ${seq} and outcome is null`.execute(database);
  return rows[0] ?? null;
}

/** The codes of held payouts that wait for an approver's word, the oldest first. */
export async function closingsWaiting(database: Database, limit: number): Promise<string[]> {
  const { rows } = await sql<{ code: string }>`
    select d.transaction_code as code from payout_closings c join payouts p on p.id = c.payout_id
    join payout_details d on d.payout_id = p.id
    where c.outcome is null and p.state = 'held' and p.seq = c.seq
    order by c.id limit ${limit}`.execute(database);
  return rows.map(({ code }) => code);
}

/** Puts a finding before the approvers, in place of the one before it. Returns its number. */
export async function insertClosing(
  transaction: Database,
  closing: Seen & Finding & { readonly proposedBy: string; readonly at: Date },
): Promise<number> {
  const { payoutId, seq, arrived, words, proposedBy, at } = closing;
  // Two findings at once wait for each other.
  await sql`select from payouts where id = ${payoutId} for update`.execute(transaction);
  await sql`
    update payout_closings set outcome = 'replaced', decided_by = ${proposedBy}, decided_at = ${at}
    where payout_id = ${payoutId} and outcome is null`.execute(transaction);
  const { rows } = await sql<{ id: number }>`
    insert into payout_closings (payout_id, seq, finding, words, proposed_by, at)
    values (${payoutId}, ${seq}, ${arrived ? "arrived" : "not_arrived"}, ${words}, ${proposedBy}, ${at})
    returning id`.execute(transaction);
  const [row] = rows;
  if (!row) throw new Error("a closing was not inserted");
  return row.id;
}
