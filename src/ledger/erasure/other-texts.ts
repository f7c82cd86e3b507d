import { sql } from "kysely";
import { hasName, hasNumber, type PersonalTexts } from "#ledger/erasure/personal-texts.ts";
import { createTermKeys } from "#ledger/intake/search-terms.ts";
import { replaceSearchTexts } from "#ledger/people/saved-views.ts";
import type { Database } from "#ledger/store/database.ts";
import { replaceAnswers } from "#ledger/store/idempotency.ts";
import { openComment } from "#ledger/store/sealed-rows.ts";
import type { Sealer } from "#ledger/store/sealing.ts";

/** A comment to be erased. */
export interface PersonalComment {
  readonly id: string;
  /** Null: a comment of an older version, which is not sealed. */
  readonly sealed: Buffer | null;
}

interface StoredComment extends PersonalComment {
  readonly batchId: string;
  readonly payoutId: number | null;
  readonly text: string;
}

/** The data of a person by which comments are recognised. */
interface CommentSearch {
  readonly payoutIds: readonly number[];
  /** The batches with payouts or file rows of the person. */
  readonly batchIds: ReadonlySet<string>;
  readonly texts: PersonalTexts;
}

/**
 * Finds the comments on payouts of a person, and all others that contain a number of the person.
 * Only on batches may the person's name suffice: on a payout, it is another person's. On a batch
 * without the person, it is that of a beneficiary of the batch with the same name, if there is one.
 */
export async function findCommentsOf(
  database: Database,
  sealer: Sealer,
  { payoutIds, batchIds, texts }: CommentSearch,
): Promise<PersonalComment[]> {
  const own = new Set(payoutIds);
  const { rows } = await sql<StoredComment>`
    select id, batch_id as "batchId", payout_id as "payoutId", text, sealed from comments
    where sealed is distinct from '\\x00'::bytea`.execute(database);
  const found: PersonalComment[] = [];
  const named: StoredComment[] = [];
  for (const row of rows) {
    const { id, payoutId, sealed } = row;
    const text = sealed === null ? row.text : (openComment(sealer, id, sealed) ?? "");
    if ((payoutId !== null && own.has(payoutId)) || hasNumber(text, texts)) found.push(row);
    else if (payoutId === null && hasName(text, texts)) named.push(row);
  }
  const foreign = named.filter(({ batchId }) => !batchIds.has(batchId));
  const ofOthers = await findBatchesNaming(database, sealer, texts, foreign);
  return [...found, ...named.filter(({ batchId }) => !ofOthers.has(batchId))];
}

/** Returns the batches of these comments that pay a beneficiary with one of the names. */
async function findBatchesNaming(
  database: Database,
  sealer: Sealer,
  { names }: PersonalTexts,
  comments: readonly StoredComment[],
): Promise<ReadonlySet<string>> {
  if (comments.length === 0) return new Set();
  const terms = createTermKeys(sealer);
  const keys = [...names].flatMap((name) => terms.nameOf({ account_name: name }) ?? []);
  const batchIds = [...new Set(comments.map(({ batchId }) => batchId))];
  const { rows } = await sql<{ id: string }>`
    select distinct p.batch_id as id
    from payout_details d join payouts p on p.id = d.payout_id
    where d.name_key = any(${keys}::bigint[]) and p.batch_id = any(${batchIds}::text[])`.execute(
    database,
  );
  return new Set(rows.map(({ id }) => id));
}

/**
 * Empties stored answers and deletes saved searches that name the person. A repeated request still
 * gets an answer and creates nothing.
 */
export async function erasePassingTexts(
  transaction: Database,
  sealer: Sealer,
  texts: PersonalTexts,
): Promise<void> {
  const names = (text: string) => hasNumber(text, texts) || hasName(text, texts);
  await replaceAnswers(transaction, [sealer, sealer], (text) => (names(text) ? "null" : null));
  await replaceSearchTexts(transaction, [sealer, sealer], names);
}
