import { sql } from "kysely";
import type { Database } from "#ledger/store/database.ts";
import type { Sealer } from "#ledger/store/sealing.ts";
import { nameWords } from "#payout/rules/names.ts";
import { accountNumberOf, type PayoutDetails } from "#payout/payout.ts";

/** Search terms of sealed payouts: keyed digests, truncated to a number that fits a column. */

const TAIL = 4;

/** Returns the key of the last digits of an account, by which its payouts are found. */
export const tailKey = (sealer: Sealer, account: string): number =>
  sealer.digest(`account ends in ${account.slice(-TAIL)}`).readInt32BE();

const wordText = (word: string): string => `name ${word}`;
const beginningText = (beginning: string): string => `name begins ${beginning}`;

/** Lengths of the beginnings that find a payout. A whole part of a name has any length. */
const BEGINNING_MIN = 3;
const BEGINNING_MAX = 10;
/** One character of these scripts is a family name. */
const IDEOGRAPHIC = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

const beginningMin = (word: string): number => (IDEOGRAPHIC.test(word) ? 1 : BEGINNING_MIN);

/** Returns the beginnings of one part of a name: "arun" has "aru". */
function beginningsOf(word: string): string[] {
  const letters = [...word];
  const longest = Math.min(letters.length - 1, BEGINNING_MAX);
  const all: string[] = [];
  for (let length = beginningMin(word); length <= longest; length += 1) {
    all.push(letters.slice(0, length).join(""));
  }
  return all;
}

/** Returns the terms of every name with a part that is, or begins with, the given text. */
function termsOfBeginning(text: string): string[] {
  const { length } = [...text];
  const isBeginning = length >= beginningMin(text) && length <= BEGINNING_MAX;
  return isBeginning ? [wordText(text), beginningText(text)] : [wordText(text)];
}

const referenceText = (reference: string): string => `reference ${reference.trim().toLowerCase()}`;
const wholeText = (words: readonly string[]): string => `whole name ${words.join(" ")}`;
const shortened = (digest: Buffer): string => digest.readBigInt64BE().toString();
/** Under a key that never changes, because names of different years are compared. */
const lastingKey = (sealer: Sealer, text: string): string => shortened(sealer.digest(text));
/**
 * Under a key that changes after an erasure, because the beginnings of a name reveal the name.
 * Ledgers of older versions use it after their first rotation.
 */
const termKey = (sealer: Sealer, text: string): string =>
  sealer.subjects.isUsed
    ? shortened(Buffer.from(sealer.subjects.digestTerm(text), "hex"))
    : lastingKey(sealer, text);
/** Returns the keys under which payouts of all versions are found. */
const everyKey = (sealer: Sealer, text: string): string[] => [
  ...new Set([termKey(sealer, text), lastingKey(sealer, text)]),
];

interface Named {
  readonly order: { readonly details: PayoutDetails };
  readonly reference: string | null;
}

function textsOf({ order: { details }, reference }: Named): string[] {
  const words = nameWords(details.account_name ?? "");
  const beginnings = new Set(words.flatMap(beginningsOf));
  const texts = [...words.map(wordText), ...[...beginnings].map(beginningText)];
  if (reference !== null) texts.push(referenceText(reference));
  return texts;
}

/** Returns the keys under which any version stored the terms of these payouts. */
export const storedTerms = (sealer: Sealer, payouts: readonly Named[]): string[] => [
  ...new Set(payouts.flatMap(textsOf).flatMap((text) => everyKey(sealer, text))),
];

export interface TermKeys {
  /**
   * Returns every term of these payouts, with the position of its payout in the list, counted from
   * 1.
   */
  of(payouts: readonly Named[]): { readonly keys: string[]; readonly places: number[] };
  tailOf(details: PayoutDetails): number | null;
  /** Returns the key of the whole name, to compare beneficiaries. */
  nameOf(details: PayoutDetails): string | null;
}

const KEPT_MAX = 50_000;

/**
 * Computes the digest of each different text once, up to a maximum number of texts, because a file
 * repeats its names.
 */
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
        for (const text of textsOf({ order: { details }, reference })) {
          keys.push(once(text, (each) => termKey(sealer, each)));
          places.push(at + 1);
        }
      });
      return { keys, places };
    },
    nameOf(details) {
      const words = nameWords(details.account_name ?? "");
      return words.length === 0 ? null : once(wholeText(words), (each) => lastingKey(sealer, each));
    },
    tailOf(details) {
      const account = accountNumberOf(details);
      return account === null ? null : once(account.slice(-TAIL), (tail) => tailKey(sealer, tail));
    },
  };
}

/**
 * Returns the ids of the payouts whose names have all these beginnings, or with this reference, as
 * the text of an array, or null if there are none. The ids are looked up first and passed as
 * values, so that PostgreSQL knows their number when it plans the join. It estimates one term by
 * the average of all (measured: 1,500 ms instead of 60 ms for a common name).
 */
export async function findPayoutIdsByTerm(
  database: Database,
  sealer: Sealer,
  asked: { readonly name: string } | { readonly reference: string },
): Promise<string | null> {
  const texts =
    "name" in asked
      ? nameWords(asked.name).map(termsOfBeginning)
      : [[referenceText(asked.reference)]];
  if (texts.length === 0) return null;
  const each = texts.map((alternatives) => {
    const keys = alternatives.flatMap((text) => everyKey(sealer, text));
    return sql`select distinct unnest(ids) as id from payout_terms where term = any(${keys}::bigint[])`;
  });
  const { rows } = await sql<{ ids: string | null }>`
    select array_agg(id)::text as ids from (${sql.join(each, sql` intersect `)}) found`.execute(
    database,
  );
  return rows[0]?.ids ?? null;
}
