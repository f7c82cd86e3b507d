import { sql } from "kysely";
import { findRowsOf, type FileRow } from "#ledger/erasure/file-rows.ts";
import { storedTerms } from "#ledger/intake/search-terms.ts";
import type { Database } from "#ledger/store/database.ts";
import { lockSubjectKeys, storeSubjectKeys } from "#ledger/integrity/stored-keys.ts";
import { subjectOf } from "#ledger/store/keys/subject-keys.ts";
import { openPayout } from "#ledger/store/sealed-rows.ts";
import type { Sealer } from "#ledger/store/sealing.ts";
import { accountNumberOf } from "#payout/payout.ts";

/** Numbers of emptied rows. */
export interface ErasedRows {
  readonly payouts: number;
  readonly fileRows: number;
}

/** Why the ledger does not erase a person now. */
export type ErasureObstacle =
  | { readonly kind: "open_payouts"; readonly count: number }
  | { readonly kind: "open_rows"; readonly count: number }
  | { readonly kind: "recent_payouts"; readonly count: number }
  /** Their keys are known only from their sealed details, which are in archive files. */
  | { readonly kind: "archived_payouts"; readonly count: number }
  | { readonly kind: "shared_key" };

/** Thrown to roll back an erasure that has an obstacle. */
export class ErasureRefused extends Error {
  readonly obstacle: ErasureObstacle;

  constructor(obstacle: ErasureObstacle) {
    super(`not erased: ${obstacle.kind}`);
    this.obstacle = obstacle;
  }
}

interface PayoutRow {
  readonly id: number;
  readonly line: number;
  readonly batchId: string;
  readonly code: string;
  readonly sealed: Buffer;
  readonly isOpen: boolean;
  readonly isRecent: boolean;
}

/** Conditions of an erasure. */
export interface ErasedAccount {
  readonly account: Buffer;
  /** Payouts that changed after this time must be kept. Null: none. */
  readonly keptAfter: Date | null;
}

/**
 * Returns what an erasure of this account would empty.
 *
 * @throws ErasureRefused
 */
export async function previewErasure(
  database: Database,
  sealer: Sealer,
  erased: ErasedAccount,
): Promise<ErasedRows> {
  const { payouts, rows } = await collect(database, sealer, erased);
  return { payouts: payouts.length, fileRows: rows.length };
}

/**
 * Destroys the keys of a person's data and empties its rows. Payouts that are stored at the same
 * time wait, and get another key.
 *
 * @param id the confirmed erasure.
 * @throws ErasureRefused
 */
export async function eraseData(
  transaction: Database,
  sealer: Sealer,
  { id, ...erased }: ErasedAccount & { readonly id: number },
): Promise<ErasedRows> {
  await sql`set local statement_timeout = 0`.execute(transaction);
  await sql`set local lock_timeout = 0`.execute(transaction);
  await lockSubjectKeys(transaction, sealer);
  const { payouts, rows } = await collect(transaction, sealer, erased);
  const subjects = [
    ...new Set([...payouts, ...rows].flatMap(({ sealed }) => subjectOf(sealed) ?? [])),
  ];
  await refuseSharedKeys(transaction, subjects, erased.account);
  const opened = payouts.map(({ code, sealed }) => openPayout(sealer, code, sealed));
  const terms = storedTerms(
    sealer,
    opened.map(({ details, reference }) => ({ order: { details }, reference })),
  );
  if (subjects.length > 0)
    await storeSubjectKeys(transaction, sealer.subjects.withoutSubjects(subjects));
  const { rows: counts } = await sql<{ payouts: number; file_rows: number }>`
    select payouts, file_rows from erase_data(
      ${id}::bigint,
      ${payouts.map((each) => each.id)}::bigint[],
      ${terms}::bigint[],
      ${rows.map(({ batchId }) => batchId)}::text[],
      ${rows.map(({ line }) => line)}::int[]
    )`.execute(transaction);
  const counted = { payouts: counts[0]?.payouts ?? 0, fileRows: counts[0]?.file_rows ?? 0 };
  await sql`
    update erasures set payouts = ${counted.payouts}, file_rows = ${counted.fileRows}
    where id = ${id}`.execute(transaction);
  return counted;
}

async function collect(
  database: Database,
  sealer: Sealer,
  { account, keptAfter }: ErasedAccount,
): Promise<{ readonly payouts: readonly PayoutRow[]; readonly rows: readonly FileRow[] }> {
  const { rows: payouts } = await sql<PayoutRow>`
    select p.id, p.line, p.batch_id as "batchId", d.transaction_code as code, d.sealed,
      p.state not in ('settled', 'declined', 'returned', 'resolved', 'cancelled') as "isOpen",
      coalesce(p.updated_at > ${keptAfter}::timestamptz, false) as "isRecent"
    from payout_details d join payouts p on p.id = d.payout_id
    where d.account_digest = ${account} and d.sealed <> '\\x00'::bytea
    order by p.id`.execute(database);
  const open = payouts.filter(({ isOpen }) => isOpen).length;
  if (open > 0) throw new ErasureRefused({ kind: "open_payouts", count: open });
  const recent = payouts.filter(({ isRecent }) => isRecent).length;
  if (recent > 0) throw new ErasureRefused({ kind: "recent_payouts", count: recent });
  const archived = payouts.filter(({ sealed }) => sealed.length === 0).length;
  if (archived > 0) throw new ErasureRefused({ kind: "archived_payouts", count: archived });
  const numbers = payouts.flatMap(
    ({ code, sealed }) => accountNumberOf(openPayout(sealer, code, sealed).details) ?? [],
  );
  const rows = await findRowsOf(database, sealer, { numbers: new Set(numbers), payouts });
  const openRows = rows.filter(({ isOpen }) => isOpen).length;
  if (openRows > 0) throw new ErasureRefused({ kind: "open_rows", count: openRows });
  return { payouts, rows };
}

/** Two accounts share a key with a probability of 1 to 28 million for ten million accounts. */
async function refuseSharedKeys(
  transaction: Database,
  subjects: readonly string[],
  account: Buffer,
): Promise<void> {
  const { rows } = await sql`
    select from unnest(${[...subjects]}::text[]) as s(subject)
    where exists (
      select from payout_details
      where account_digest >= decode(s.subject, 'hex')
        and account_digest < decode(s.subject, 'hex') || '\\xffffffffffffffffffff'::bytea
        and account_digest <> ${account}
    )`.execute(transaction);
  if (rows.length > 0) throw new ErasureRefused({ kind: "shared_key" });
}
