import { sql } from "kysely";
import type { Database } from "#ledger/store/database.ts";
import type { Money } from "#money/money.ts";

/**
 * A result that a person established outside payrun for a deposit that the gateway does not
 * explain.
 */
export interface EstablishedResult {
  /** The amount that arrived. Null: no money arrived. */
  readonly cameIn: Money | null;
  /** The evidence for the result. */
  readonly evidence: string;
}

/** A proposed result that waits for confirmation by an approver. */
export interface ProposedResolution extends EstablishedResult {
  readonly id: number;
  /** Sequence number of the deposit when it was viewed. */
  readonly seq: number;
  readonly proposedBy: string;
  readonly at: Date;
}

interface ResolvableDeposit {
  readonly id: number;
  readonly seq: number;
  readonly money: Money;
}

/**
 * Returns the proposal that can still be confirmed, or null if there is none for the current state
 * of the deposit.
 */
export async function findProposedResolution(
  database: Database,
  { id, seq, money }: ResolvableDeposit,
): Promise<ProposedResolution | null> {
  const { rows } = await sql<{
    id: number;
    minor: string | null;
    evidence: string;
    proposedBy: string;
    at: Date;
  }>`
    select id, amount_minor as minor, evidence, proposed_by as "proposedBy", at from deposit_resolutions
    where deposit_id = ${id} and seq = ${seq} and outcome is null`.execute(database);
  const [row] = rows;
  if (!row) return null;
  const { minor, ...same } = row;
  return { ...same, seq, cameIn: minor === null ? null : { ...money, minor: BigInt(minor) } };
}

/** Proposes a result to the approvers, in place of the previous proposal. Returns its number. */
export async function insertResolution(
  transaction: Database,
  closing: {
    readonly depositId: number;
    readonly seq: number;
    readonly finding: EstablishedResult;
    readonly proposedBy: string;
    readonly at: Date;
  },
): Promise<number> {
  const { depositId, seq, finding, proposedBy, at } = closing;
  // The lock makes simultaneous proposals wait for each other.
  await sql`select from deposits where id = ${depositId} for update`.execute(transaction);
  await sql`
    update deposit_resolutions set outcome = 'replaced', decided_by = ${proposedBy}, decided_at = ${at}
    where deposit_id = ${depositId} and outcome is null`.execute(transaction);
  const { rows } = await sql<{ id: number }>`
    insert into deposit_resolutions (deposit_id, seq, finding, amount_minor, evidence, proposed_by, at)
    values (${depositId}, ${seq}, ${finding.cameIn ? "received" : "not_received"},
      ${finding.cameIn ? `${finding.cameIn.minor}` : null}::numeric, ${finding.evidence}, ${proposedBy}, ${at})
    returning id`.execute(transaction);
  const [row] = rows;
  if (!row) throw new Error("the resolution was not inserted");
  return row.id;
}
