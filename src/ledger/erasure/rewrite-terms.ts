import { sql } from "kysely";
import { createTermKeys } from "#ledger/intake/search-terms.ts";
import { holdSubjectKeys } from "#ledger/integrity/stored-keys.ts";
import type { Database } from "#ledger/store/database.ts";
import { openPayout } from "#ledger/store/sealed-rows.ts";
import type { Sealer } from "#ledger/store/sealing.ts";
import { writeSettings } from "#ledger/store/settings.ts";

/** Payouts that are opened in one transaction, while an erasure waits. */
const BLOCK = 2_000;

/** Setting with the payouts whose terms are missing: "after:until"; "": none. */
const PROGRESS = "terms_rewrite";

/** Block size for tests. */
interface Options {
  readonly block?: number;
}

/**
 * Removes the search terms of all payouts, and records that they must be written again under the
 * newest key. Payouts that are stored from now on have terms.
 */
export async function removeTerms(transaction: Database): Promise<void> {
  const { rows } = await sql<{ last: number }>`
    select coalesce(max(payout_id), 0) as last from payout_details`.execute(transaction);
  await writeSettings(transaction, { [PROGRESS]: `0:${rows[0]?.last ?? 0}` });
  await sql`select clear_terms()`.execute(transaction);
}

/**
 * Writes the search terms of the next payouts whose terms are missing. Returns false if there are
 * none, or another process writes them now.
 */
export async function rewriteNextTerms(
  database: Database,
  sealer: Sealer,
  { block = BLOCK }: Options = {},
): Promise<boolean> {
  const known = await sql<{ value: string }>`
    select value from settings where name = ${PROGRESS} and value <> ''`.execute(database);
  if (known.rows.length === 0) return false;
  return database.transaction().execute(async (transaction) => {
    const { rows: locked } = await sql<{ value: string }>`
      select value from settings where name = ${PROGRESS} and value <> ''
      for update skip locked`.execute(transaction);
    const [progress] = locked;
    if (!progress) return false;
    // A person who is erased meanwhile must not get terms again.
    await holdSubjectKeys(transaction, sealer);
    const [after, until] = progress.value.split(":").map(Number) as [number, number];
    const last = await writeBlock(transaction, sealer, { after, until, block });
    const isLeft = last !== null && last < until;
    await writeSettings(transaction, { [PROGRESS]: isLeft ? `${last}:${until}` : "" });
    return isLeft;
  });
}

interface Row {
  readonly id: number;
  readonly code: string;
  readonly sealed: Buffer;
}

/** Returns the last payout of the block; null if there was none. */
async function writeBlock(
  transaction: Database,
  sealer: Sealer,
  {
    after,
    until,
    block,
  }: { readonly after: number; readonly until: number; readonly block: number },
): Promise<number | null> {
  const { rows } = await sql<Row>`
    select payout_id as id, transaction_code as code, sealed from payout_details
    where payout_id > ${after} and payout_id <= ${until}
    order by payout_id limit ${block}`.execute(transaction);
  const payouts = rows.map(({ code, sealed }) => {
    const { details, reference } = openPayout(sealer, code, sealed);
    return { order: { details }, reference };
  });
  const { keys, places } = createTermKeys(sealer).of(payouts);
  await sql`
    insert into payout_terms (term, ids)
    select t.term, array_agg(t.id) from unnest(
      ${keys}::bigint[],
      ${places.map((place) => rows[place - 1]?.id ?? 0)}::bigint[]
    ) as t(term, id)
    group by t.term order by t.term`.execute(transaction);
  return rows.at(-1)?.id ?? null;
}
