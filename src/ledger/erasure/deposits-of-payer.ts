import { sql } from "kysely";
import { openDetails, openPart } from "#ledger/deposit/sealed-deposits.ts";
import type { PersonalTexts } from "#ledger/erasure/personal-texts.ts";
import type { Database } from "#ledger/store/database.ts";
import { subjectOf } from "#ledger/store/keys/subject-keys.ts";
import type { Sealer } from "#ledger/store/sealing.ts";

/** The deposits of a payer, with their sealed parts. */
export interface DepositsOfPayer {
  readonly count: number;
  /** Number of deposits that are not final, or are on hold. */
  readonly open: number;
  /** Number of deposits that must be kept. */
  readonly recent: number;
  readonly subjects: readonly string[];
  readonly texts: PersonalTexts;
}

interface Row {
  readonly code: string;
  readonly sealed: Buffer;
  readonly told: Buffer | null;
  readonly depositor: Buffer | null;
  readonly isOpen: boolean;
  readonly isRecent: boolean;
}

/** Finds the deposits of a payer that were not erased. */
export async function findDepositsOf(
  database: Database,
  sealer: Sealer,
  { payer, keptAfter }: { readonly payer: Buffer; readonly keptAfter: Date | null },
): Promise<DepositsOfPayer> {
  const { rows } = await sql<Row>`
    select transaction_code as code, sealed, payment_details as told, depositor,
      state not in ('completed', 'expired', 'declined', 'resolved') or due_at is not null as "isOpen",
      coalesce(updated_at > ${keptAfter}::timestamptz, false) as "isRecent"
    from deposits where user_digest = ${payer} and sealed <> '\\x00'::bytea
    order by id`.execute(database);
  const numbers = new Set<string>();
  const names = new Set<string>();
  for (const { code, sealed, depositor } of rows) {
    const { details } = openDetails(sealer, code, sealed);
    for (const number of [details.user_id, details.identity_id, details.phone])
      if (number) numbers.add(number);
    if (details.deposit_name) names.add(details.deposit_name);
    if (depositor) numbers.add(openPart(sealer, "depositor", code, depositor).accountNumber);
  }
  const parts = rows.flatMap(({ sealed, told, depositor }) => [sealed, told, depositor]);
  return {
    count: rows.length,
    open: rows.filter(({ isOpen }) => isOpen).length,
    recent: rows.filter(({ isRecent }) => isRecent).length,
    subjects: [...new Set(parts.flatMap((part) => (part ? (subjectOf(part) ?? []) : [])))],
    texts: { numbers, names },
  };
}

/** Empties the deposits of a payer. The keyed digest of the user ID remains. */
export async function emptyDeposits(transaction: Database, payer: Buffer): Promise<number> {
  const { numAffectedRows } = await sql`
    update deposits set sealed = '\\x00', payment_details = null, depositor = null
    where user_digest = ${payer} and sealed <> '\\x00'::bytea`.execute(transaction);
  return Number(numAffectedRows ?? 0);
}
