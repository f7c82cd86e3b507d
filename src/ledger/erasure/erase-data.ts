import { sql } from "kysely";
import { emptyDeposits, findDepositsOf } from "#ledger/erasure/deposits-of-payer.ts";
import type { ErasedPerson } from "#ledger/erasure/erasures.ts";
import { findRowsOf, type FileRow, mergeRows } from "#ledger/erasure/file-rows.ts";
import {
  erasePassingTexts,
  findCommentsOf,
  type PersonalComment,
} from "#ledger/erasure/other-texts.ts";
import type { PersonalTexts } from "#ledger/erasure/personal-texts.ts";
import { storedTerms } from "#ledger/intake/search-terms.ts";
import type { Database } from "#ledger/store/database.ts";
import { lockSubjectKeys, storeSubjectKeys } from "#ledger/integrity/stored-keys.ts";
import { subjectOf } from "#ledger/store/keys/subject-keys.ts";
import { openPayout } from "#ledger/store/sealed-rows.ts";
import type { Sealer } from "#ledger/store/sealing.ts";
import { accountNumberOf } from "#payout/payout.ts";

/** Numbers of emptied rows. */
export interface ErasedRows {
  /** Payouts of a beneficiary, or deposits of a payer. */
  readonly payouts: number;
  readonly fileRows: number;
  readonly comments: number;
}

/** Why the ledger does not erase a person now. */
export type ErasureObstacle =
  | { readonly kind: "open_payouts"; readonly count: number }
  | { readonly kind: "open_rows"; readonly count: number }
  | { readonly kind: "recent_payouts"; readonly count: number }
  | { readonly kind: "open_deposits"; readonly count: number }
  | { readonly kind: "recent_deposits"; readonly count: number }
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
export interface ErasureConditions {
  readonly person: ErasedPerson;
  /** Payouts and deposits that changed after this time must be kept. Null: none. */
  readonly keptAfter: Date | null;
}

/** The data of a person. */
interface PersonalData {
  readonly payouts: readonly PayoutRow[];
  readonly deposits: number;
  readonly rows: readonly FileRow[];
  readonly comments: readonly PersonalComment[];
  /** The keys of deposits. */
  readonly subjects: readonly string[];
  readonly texts: PersonalTexts;
}

/**
 * Returns what an erasure of this person would empty.
 *
 * @throws ErasureRefused
 */
export async function previewErasure(
  database: Database,
  sealer: Sealer,
  conditions: ErasureConditions,
): Promise<ErasedRows> {
  const found = await collect(database, sealer, conditions, null);
  return {
    payouts: found.payouts.length + found.deposits,
    fileRows: found.rows.length,
    comments: found.comments.length,
  };
}

/**
 * Destroys the keys of a person's data and empties its rows. Data that is stored at the same time
 * waits, and gets another key. File rows are searched before that, and again only in batches that
 * changed meanwhile.
 *
 * @param id the confirmed erasure.
 * @throws ErasureRefused
 */
export async function eraseData(
  transaction: Database,
  sealer: Sealer,
  { id, ...conditions }: ErasureConditions & { readonly id: number },
): Promise<ErasedRows> {
  await sql`set local statement_timeout = 0`.execute(transaction);
  await sql`set local lock_timeout = 0`.execute(transaction);
  // The clocks of the processes that change batches may differ.
  const { rows: times } = await sql<{ at: string }>`
    select (clock_timestamp() - interval '1 hour')::text as at`.execute(transaction);
  const { rows } = await collect(transaction, sealer, conditions, null);
  const before = { rows, at: times[0]?.at ?? "-infinity" };
  await lockSubjectKeys(transaction, sealer);
  const found = await collect(transaction, sealer, conditions, before);
  const { person } = conditions;
  await destroyKeys(transaction, sealer, found, person);
  await erasePassingTexts(transaction, sealer, found.texts);
  const comments = found.comments.map((each) => each.id);
  await sql`select erase_comments(${id}::bigint, ${comments}::text[])`.execute(transaction);
  const emptied = await emptyRows(transaction, sealer, id, found);
  const deposits = person.kind === "payer" ? await emptyDeposits(transaction, person.account) : 0;
  const counted = { ...emptied, payouts: emptied.payouts + deposits, comments: comments.length };
  await sql`
    update erasures set payouts = ${counted.payouts}, file_rows = ${counted.fileRows}
    where id = ${id}`.execute(transaction);
  return counted;
}

async function destroyKeys(
  transaction: Database,
  sealer: Sealer,
  { payouts, rows, comments, subjects }: PersonalData,
  person: ErasedPerson,
): Promise<void> {
  const sealed = [...payouts, ...rows, ...comments].flatMap((each) => each.sealed ?? []);
  const all = [...new Set([...subjects, ...sealed.flatMap((each) => subjectOf(each) ?? [])])];
  await refuseSharedKeys(transaction, all, person.account);
  if (all.length > 0) await storeSubjectKeys(transaction, sealer.subjects.withoutSubjects(all));
}

async function emptyRows(
  transaction: Database,
  sealer: Sealer,
  id: number,
  { payouts, rows }: PersonalData,
): Promise<Pick<ErasedRows, "payouts" | "fileRows">> {
  const opened = payouts.map(({ code, sealed }) => openPayout(sealer, code, sealed));
  const terms = storedTerms(
    sealer,
    opened.map(({ details, reference }) => ({ order: { details }, reference })),
  );
  const { rows: counts } = await sql<{ payouts: number; file_rows: number }>`
    select payouts, file_rows from erase_data(
      ${id}::bigint,
      ${payouts.map((each) => each.id)}::bigint[],
      ${terms}::bigint[],
      ${rows.map(({ batchId }) => batchId)}::text[],
      ${rows.map(({ line }) => line)}::int[]
    )`.execute(transaction);
  return { payouts: counts[0]?.payouts ?? 0, fileRows: counts[0]?.file_rows ?? 0 };
}

/** File rows that were found before the lock, and a time before that search. */
interface Before {
  readonly rows: readonly FileRow[];
  readonly at: string;
}

const collect = (
  database: Database,
  sealer: Sealer,
  conditions: ErasureConditions,
  before: Before | null,
): Promise<PersonalData> =>
  conditions.person.kind === "payer"
    ? collectDeposits(database, sealer, conditions)
    : collectPayouts(database, sealer, conditions, before);

async function collectDeposits(
  database: Database,
  sealer: Sealer,
  { person, keptAfter }: ErasureConditions,
): Promise<PersonalData> {
  const of = { payer: person.account, keptAfter };
  const { count, open, recent, subjects, texts } = await findDepositsOf(database, sealer, of);
  if (open > 0) throw new ErasureRefused({ kind: "open_deposits", count: open });
  if (recent > 0) throw new ErasureRefused({ kind: "recent_deposits", count: recent });
  const comments = await findCommentsOf(database, sealer, {
    payoutIds: [],
    batchIds: new Set<string>(),
    texts,
  });
  return { payouts: [], deposits: count, rows: [], comments, subjects, texts };
}

async function collectPayouts(
  database: Database,
  sealer: Sealer,
  { person: { account }, keptAfter }: ErasureConditions,
  before: Before | null,
): Promise<PersonalData> {
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
  const details = payouts.map(({ code, sealed }) => openPayout(sealer, code, sealed).details);
  const accounts = new Set(details.flatMap((each) => accountNumberOf(each) ?? []));
  const asked = { numbers: accounts, payouts };
  const rows = before
    ? mergeRows(before.rows, await findRowsOf(database, sealer, { ...asked, since: before.at }))
    : await findRowsOf(database, sealer, { ...asked, since: null });
  const openRows = rows.filter(({ isOpen }) => isOpen).length;
  if (openRows > 0) throw new ErasureRefused({ kind: "open_rows", count: openRows });
  const others = details.flatMap(({ user_id: userId, phone_number: phone, address }) =>
    [userId, phone, address].filter((each) => each !== undefined),
  );
  const names = new Set(details.flatMap(({ account_name: name }) => name ?? []));
  const texts = { numbers: new Set([...accounts, ...others]), names };
  const payoutIds = payouts.map(({ id }) => id);
  const batchIds = new Set([...payouts, ...rows].map(({ batchId }) => batchId));
  const comments = await findCommentsOf(database, sealer, { payoutIds, batchIds, texts });
  return { payouts, deposits: 0, rows, comments, subjects: [], texts };
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
    ) or exists (
      select from deposits
      where user_digest >= decode(s.subject, 'hex')
        and user_digest < decode(s.subject, 'hex') || '\\xffffffffffffffffffff'::bytea
        and user_digest <> ${account}
    )`.execute(transaction);
  if (rows.length > 0) throw new ErasureRefused({ kind: "shared_key" });
}
