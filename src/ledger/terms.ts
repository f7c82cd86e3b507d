import { sql } from "kysely";
import type { Database } from "#ledger/database.ts";
import type { Sealer } from "#ledger/sealed.ts";
import { nameWords } from "#payout/names.ts";
import { accountNumberOf, type PayoutDetails } from "#payout/payout.ts";

/** What a payout is found by although it is sealed: as keyed digests, cut to what a number in a row holds. */

const TAIL = 4;

/** The end of an account that its payouts are found by. */
export const tailKey = (sealer: Sealer, account: string): number =>
  sealer.digest(`account ends in ${account.slice(-TAIL)}`).readInt32BE();

const wordText = (word: string): string => `name ${word}`;
const referenceText = (reference: string): string => `reference ${reference.trim().toLowerCase()}`;
const wholeText = (words: readonly string[]): string => `whole name ${words.join(" ")}`;
const termKey = (sealer: Sealer, text: string): string =>
  sealer.digest(text).readBigInt64BE().toString();

interface Named {
  readonly order: { readonly details: PayoutDetails };
  readonly reference: string | null;
}

export interface TermKeys {
  /** Every term of these payouts beside the place of its payout in the list, counted from 1. */
  of(payouts: readonly Named[]): { readonly keys: string[]; readonly places: number[] };
  tailOf(details: PayoutDetails): number | null;
  /** Of the whole name, to compare beneficiaries by. */
  nameOf(details: PayoutDetails): string | null;
}

const KEPT_MAX = 50_000;

/** Digests each different text once, as long as there are not too many of them: a file repeats its names. */
export function createTermKeys(sealer: Sealer): TermKeys {
  const kept = new Map<string, string | number>();
  const once = <T extends string | number>(text: string, make: (text: string) => T): T => {
    const known = kept.get(text);
    if (known !== undefined) return known as T;
    if (kept.size >= KEPT_MAX) kept.clear();
    const key = make(text);
    kept.set(text, key);
    return key;
  };
  return {
    of(payouts) {
      const keys: string[] = [];
      const places: number[] = [];
      payouts.forEach(({ order: { details }, reference }, at) => {
        const texts = nameWords(details.account_name ?? "").map(wordText);
        if (reference !== null) texts.push(referenceText(reference));
        for (const text of texts) {
          keys.push(once(text, (each) => termKey(sealer, each)));
          places.push(at + 1);
        }
      });
      return { keys, places };
    },
    nameOf(details) {
      const words = nameWords(details.account_name ?? "");
      return words.length === 0 ? null : once(wholeText(words), (each) => termKey(sealer, each));
    },
    tailOf(details) {
      const account = accountNumberOf(details);
      return account === null ? null : once(account.slice(-TAIL), (tail) => tailKey(sealer, tail));
    },
  };
}

/**
 * The ids of the payouts that have every word of this name, or this reference, as the text of an array; null: none has.
 * They are looked up first and handed back, so that PostgreSQL knows how many they are when it plans what they are
 * joined with: of a term it knows no more than that of all others (measured: 1,500 ms for a common name, not 60).
 */
export async function idsWith(
  database: Database,
  sealer: Sealer,
  asked: { readonly name: string } | { readonly reference: string },
): Promise<string | null> {
  const texts =
    "name" in asked ? nameWords(asked.name).map(wordText) : [referenceText(asked.reference)];
  if (texts.length === 0) return null;
  const each = texts.map(
    (text) => sql`select unnest(ids) as id from payout_terms where term = ${termKey(sealer, text)}`,
  );
  const { rows } = await sql<{ ids: string | null }>`
    select array_agg(id)::text as ids from (${sql.join(each, sql` intersect `)}) found`.execute(
    database,
  );
  return rows[0]?.ids ?? null;
}
