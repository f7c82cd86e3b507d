import { sql } from "kysely";
import { hasName, hasNumber, type PersonalTexts } from "#ledger/erasure/personal-texts.ts";
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
  readonly payoutId: number | null;
  readonly text: string;
}

/**
 * Finds the comments on payouts of a person, and all others that contain a number of the person.
 * Only on batches does the person's name suffice: on a payout, it is another person's.
 */
export async function findCommentsOf(
  database: Database,
  sealer: Sealer,
  { payoutIds, texts }: { readonly payoutIds: readonly number[]; readonly texts: PersonalTexts },
): Promise<PersonalComment[]> {
  const own = new Set(payoutIds);
  const { rows } = await sql<StoredComment>`
    select id, payout_id as "payoutId", text, sealed from comments
    where sealed is distinct from '\\x00'::bytea`.execute(database);
  return rows.filter(({ id, payoutId, text: unsealed, sealed }) => {
    if (payoutId !== null && own.has(payoutId)) return true;
    const text = sealed === null ? unsealed : (openComment(sealer, id, sealed) ?? "");
    return hasNumber(text, texts) || (payoutId === null && hasName(text, texts));
  });
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
