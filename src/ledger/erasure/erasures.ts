import { sql } from "kysely";
import type { Database } from "#ledger/store/database.ts";

/** A person to be erased: the beneficiary of payouts, or the payer of deposits. */
export interface ErasedPerson {
  readonly kind: "beneficiary" | "payer";
  /** Keyed digest of the account of a beneficiary, or of the user ID of a payer. */
  readonly account: Buffer;
}

/** A proposal to erase a person. */
export interface Erasure extends ErasedPerson {
  readonly id: number;
  readonly reason: string;
  readonly proposedBy: string;
  readonly at: Date;
  /** Null: it waits for a decision. "alone": payrun had no approvers. */
  readonly outcome: "agreed" | "refused" | "alone" | null;
  readonly decidedBy: string | null;
  readonly decidedAt: Date | null;
  /** Number of emptied payouts or deposits; null if the person was not erased. */
  readonly payouts: number | null;
  readonly fileRows: number | null;
  /** Null also for an erasure by an older version. */
  readonly comments: number | null;
  /** When PAYRUN_KEY was rotated after the erasure. */
  readonly completedAt: Date | null;
}

const COLUMNS = sql`id, kind, account_digest as account, reason, proposed_by as "proposedBy", at, outcome,
  decided_by as "decidedBy", decided_at as "decidedAt", payouts, file_rows as "fileRows", comments,
  completed_at as "completedAt"`;

/** Stores a proposal and returns its number. Null: one for this account waits for a decision. */
export async function insertErasure(
  transaction: Database,
  {
    kind,
    account,
    reason,
    proposedBy,
  }: Pick<Erasure, "kind" | "account" | "reason" | "proposedBy">,
): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`
    insert into erasures (kind, account_digest, reason, proposed_by)
    values (${kind}, ${account}, ${reason}, ${proposedBy})
    on conflict (account_digest) where outcome is null do nothing
    returning id`.execute(transaction);
  return rows[0]?.id ?? null;
}

/** Returns the newest proposals, those that wait for a decision first. */
export async function findErasures(database: Database): Promise<Erasure[]> {
  const { rows } = await sql<Erasure>`
    select ${COLUMNS} from erasures
    order by outcome is null desc, id desc
    limit 200`.execute(database);
  return rows;
}

/** Returns a proposal. Null: there is none with this number. */
export async function findErasure(database: Database, id: number): Promise<Erasure | null> {
  const { rows } = await sql<Erasure>`
    select ${COLUMNS} from erasures where id = ${id}`.execute(database);
  return rows[0] ?? null;
}

/**
 * Decides about a proposal. Returns false if it no longer waits.
 *
 * @throws the refusal of the ledger: see runOrRefuse.
 */
export async function decideErasure(
  transaction: Database,
  {
    id,
    outcome,
    by,
  }: {
    readonly id: number;
    readonly outcome: "agreed" | "refused" | "alone";
    readonly by: string;
  },
): Promise<boolean> {
  const { rows } = await sql`
    update erasures set outcome = ${outcome}, decided_by = ${by}, decided_at = now()
    where id = ${id} and outcome is null returning id`.execute(transaction);
  return rows.length === 1;
}

/** Returns the person of a payout or deposit; null for an unknown code. */
export async function findPersonOf(database: Database, code: string): Promise<ErasedPerson | null> {
  const { rows } = await sql<ErasedPerson>`
    select 'beneficiary' as kind, account_digest as account from payout_details
    where transaction_code = ${code}
    union all
    select 'payer', user_digest from deposits where transaction_code = ${code}`.execute(database);
  return rows[0] ?? null;
}

/** Returns the number of erasures since the last rotation of PAYRUN_KEY. */
export async function countIncomplete(database: Database): Promise<number> {
  const { rows } = await sql<{ erasures: number }>`
    select count(*)::int as erasures from erasures
    where payouts is not null and completed_at is null`.execute(database);
  return rows[0]?.erasures ?? 0;
}

/** Records that PAYRUN_KEY was rotated after all erasures so far. */
export async function completeErasures(transaction: Database, at: Date): Promise<void> {
  await sql`
    update erasures set completed_at = ${at}
    where payouts is not null and completed_at is null`.execute(transaction);
}
