import { sql } from "kysely";
import type { Database } from "#ledger/store/database.ts";

/** A result that a person established outside payrun for a payout on hold. */
export interface EstablishedResult {
  readonly arrived: boolean;
  /** The evidence for the result. */
  readonly evidence: string;
}

/** A proposed result that waits for confirmation by an approver. */
export interface ProposedResolution extends EstablishedResult {
  readonly id: number;
  readonly proposedBy: string;
  readonly at: Date;
}

/** The version of a payout that was viewed. */
interface Seen {
  readonly payoutId: number;
  readonly seq: number;
}

/**
 * Returns the proposal that can still be confirmed, or null if there is none for the current state
 * of the payout.
 */
export async function findProposedResolution(
  database: Database,
  { payoutId, seq }: Seen,
): Promise<ProposedResolution | null> {
  const { rows } = await sql<ProposedResolution>`
    select id, finding = 'arrived' as arrived, evidence, proposed_by as "proposedBy", at from payout_resolutions
    where payout_id = ${payoutId} and seq = ${seq} and outcome is null`.execute(database);
  return rows[0] ?? null;
}

/**
 * Returns the codes of payouts on hold whose manual resolution waits for an approver, oldest first.
 */
export async function findResolutionsToConfirm(
  database: Database,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ code: string }>`
    select d.transaction_code as code from payout_resolutions c join payouts p on p.id = c.payout_id
    join payout_details d on d.payout_id = p.id
    where c.outcome is null and c.action_id is null and p.state = 'on_hold' and p.seq = c.seq
    order by c.id limit ${limit}`.execute(database);
  return rows.map(({ code }) => code);
}

/** Proposes a result to the approvers, in place of the previous proposal. Returns its number. */
export async function insertResolution(
  transaction: Database,
  closing: Seen & EstablishedResult & { readonly proposedBy: string; readonly at: Date },
): Promise<number> {
  const { payoutId, seq, arrived, evidence, proposedBy, at } = closing;
  // The lock makes simultaneous proposals wait for each other.
  await sql`select from payouts where id = ${payoutId} for update`.execute(transaction);
  await sql`
    update payout_resolutions set outcome = 'replaced', decided_by = ${proposedBy}, decided_at = ${at}
    where payout_id = ${payoutId} and outcome is null`.execute(transaction);
  const { rows } = await sql<{ id: number }>`
    insert into payout_resolutions (payout_id, seq, finding, evidence, proposed_by, at)
    values (${payoutId}, ${seq}, ${arrived ? "arrived" : "not_arrived"}, ${evidence}, ${proposedBy}, ${at})
    returning id`.execute(transaction);
  const [row] = rows;
  if (!row) throw new Error("the resolution was not inserted");
  return row.id;
}
