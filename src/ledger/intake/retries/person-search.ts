import { sql } from "kysely";
import type { Database } from "#ledger/store/database.ts";
import { openPayout } from "#ledger/store/sealed-rows.ts";
import type { Sealer } from "#ledger/store/sealing.ts";
import { NO_USER_KEY, userKeyOf } from "#ledger/intake/retries/user-key.ts";
import type { Money } from "#money/money.ts";

/** A batch in which payouts to the same person are searched. */
export interface SearchedBatch {
  readonly id: string;
  readonly first_id: number;
  readonly last_id: number;
  readonly created_at: Date;
}

/** The values of a row that are compared with the payouts of the searched batches. */
export interface ComparedRow {
  /** Key of the user ID (user-key.ts). */
  readonly userKey: string;
  /** Key of the whole name (search-terms.ts). Null: the row has none. */
  readonly nameKey: string | null;
  readonly money: Money;
  /** Only payouts of batches that were created after this time count. Default: all. */
  readonly since?: Date | undefined;
}

/** A payout to the person of a row. */
export interface SamePerson {
  readonly payoutId: number;
  readonly batchId: string;
  readonly line: number;
}

/**
 * Finds, by position of the row, a payout in the latest batch with its user ID, or else with its
 * name, currency and amount. The account may differ: people correct it when they pay again.
 */
export type PersonSearch = (
  rows: readonly ComparedRow[],
) => Promise<ReadonlyMap<number, SamePerson>>;

/** Number of rows that one page decrypts, before other work gets a turn. */
const OPENED_AT_ONCE = 500;

/** Returns the search in these batches. It decrypts only payouts without a stored key. */
export async function createPersonSearch(
  database: Database,
  sealer: Sealer,
  batches: readonly SearchedBatch[],
): Promise<PersonSearch> {
  const unkeyed = await findUnkeyed(database, sealer, batches);
  return async (rows) => {
    const users = new Map(unkeyed);
    for (const row of await findByUser(database, batches, rows)) {
      users.set(row.user_key, latestOf(found(row), users.get(row.user_key)));
    }
    const payments = new Map<string, FoundPayout>();
    for (const row of await findByName(database, batches, rows)) {
      payments.set(paymentKey(row.name_key, row.currency, row.amount_minor), found(row));
    }
    const byPlace = rows.flatMap(({ userKey, nameKey, money, since }, place) => {
      const user = users.get(userKey);
      const payment =
        nameKey === null
          ? undefined
          : payments.get(paymentKey(nameKey, money.currency, money.minor.toString()));
      const isLate = (each: FoundPayout | undefined) =>
        each !== undefined && (since === undefined || each.createdAt > since);
      const same = [user, payment].find(isLate);
      return same ? [[place, same] as const] : [];
    });
    return new Map(byPlace);
  };
}

interface FoundPayout extends SamePerson {
  /** When its batch was created. */
  readonly createdAt: Date;
}

interface FoundRow {
  readonly id: number;
  readonly batch_id: string;
  readonly line: number;
  readonly created_at: Date;
}

const found = ({ id, batch_id, line, created_at }: FoundRow): FoundPayout => ({
  payoutId: id,
  batchId: batch_id,
  line,
  createdAt: created_at,
});

const latestOf = (one: FoundPayout, other: FoundPayout | undefined): FoundPayout =>
  other && other.createdAt > one.createdAt ? other : one;

const paymentKey = (nameKey: string, currency: string, minor: string): string =>
  `${nameKey} ${currency} ${minor}`;

const batchesIn = (batches: readonly SearchedBatch[]) => sql`unnest(
        ${batches.map(({ id }) => id)}::text[],
        ${batches.map(({ first_id }) => first_id)}::bigint[],
        ${batches.map(({ last_id }) => last_id)}::bigint[],
        ${batches.map(({ created_at }) => created_at.toISOString())}::timestamptz[]
      ) as searched_batches(id, first_id, last_id, created_at)`;

/** Finds the latest payout of each user ID, in the range of each batch in the index. */
async function findByUser(
  database: Database,
  batches: readonly SearchedBatch[],
  rows: readonly ComparedRow[],
): Promise<readonly (FoundRow & { readonly user_key: string })[]> {
  const keys = [...new Set(rows.map(({ userKey }) => userKey))];
  const { rows: payouts } = await sql<FoundRow & { readonly user_key: string }>`
    select distinct on (compared_rows.user_key)
      compared_rows.user_key::text, payout.id, payout.batch_id, payout.line, searched_batches.created_at
    from unnest(${keys}::bigint[]) as compared_rows(user_key)
      cross join ${batchesIn(batches)}
      cross join lateral (
        select payout_id
        from payout_details
        where user_key = compared_rows.user_key
          and user_key <> 0
          and payout_id between searched_batches.first_id and searched_batches.last_id
        offset 0
      ) detail
      cross join lateral (
        select id, batch_id, line
        from payouts
        where id = detail.payout_id
          and batch_id = searched_batches.id
          and state not in ('declined', 'cancelled')
        offset 0
      ) payout
    order by compared_rows.user_key, searched_batches.created_at desc, payout.id desc`.execute(
    database,
  );
  return payouts;
}

interface NamedRow extends FoundRow {
  readonly name_key: string;
  readonly currency: string;
  readonly amount_minor: string;
}

/**
 * Finds the latest payout of each name, currency and amount. It reads only the ranges of the
 * batches, because a common name is paid in many others, and each name only once.
 */
async function findByName(
  database: Database,
  batches: readonly SearchedBatch[],
  rows: readonly ComparedRow[],
): Promise<readonly NamedRow[]> {
  const named = rows.filter(({ nameKey }) => nameKey !== null);
  const { rows: payouts } = await sql<NamedRow>`
    select distinct on (compared_rows.name_key, payout.currency, payout.amount_minor)
      compared_rows.name_key::text, payout.currency, payout.amount_minor::text,
      payout.id, payout.batch_id, payout.line, searched_batches.created_at
    from unnest(${[...new Set(named.flatMap(({ nameKey }) => nameKey ?? []))]}::bigint[])
        as compared_rows(name_key)
      cross join ${batchesIn(batches)}
      cross join lateral (
        select payout_id
        from payout_details
        where name_key = compared_rows.name_key
          and payout_id between searched_batches.first_id and searched_batches.last_id
          and amount_minor = any(${[...new Set(named.map(({ money }) => money.minor.toString()))]}::numeric[])
        offset 0
      ) detail
      cross join lateral (
        select id, batch_id, line, currency, amount_minor
        from payouts
        where id = detail.payout_id
          and batch_id = searched_batches.id
          and state not in ('declined', 'cancelled')
        offset 0
      ) payout
    order by compared_rows.name_key, payout.currency, payout.amount_minor,
      searched_batches.created_at desc, payout.id desc`.execute(database);
  return payouts;
}

/** Decrypts the payouts without a key in pages, and returns the latest of each user. */
async function findUnkeyed(
  database: Database,
  sealer: Sealer,
  batches: readonly SearchedBatch[],
): Promise<ReadonlyMap<string, FoundPayout>> {
  const users = new Map<string, FoundPayout>();
  for (const batch of batches) {
    let after = (await hasUnkeyed(database, batch)) ? batch.first_id - 1 : batch.last_id;
    while (after < batch.last_id) {
      const rows = await unkeyedAfter(database, batch, after);
      for (const { id, line, transaction_code, sealed } of rows) {
        const key = userKeyOf(sealer, openPayout(sealer, transaction_code, sealed).details);
        const payout = found({ id, batch_id: batch.id, line, created_at: batch.created_at });
        if (key !== NO_USER_KEY) users.set(key, latestOf(payout, users.get(key)));
      }
      after = rows.length < OPENED_AT_ONCE ? batch.last_id : (rows.at(-1)?.id ?? batch.last_id);
    }
  }
  return users;
}

/** Payouts get their ids in order, so all are keyed from the first with a key. */
async function hasUnkeyed(database: Database, { first_id }: SearchedBatch): Promise<boolean> {
  const { rows } = await sql<{ is_unkeyed: boolean }>`
    select user_key is null as is_unkeyed
    from payout_details
    where payout_id >= ${first_id}
    order by payout_id
    limit 1`.execute(database);
  return rows[0]?.is_unkeyed === true;
}

interface UnkeyedRow {
  readonly id: number;
  readonly line: number;
  readonly transaction_code: string;
  readonly sealed: Buffer;
}

async function unkeyedAfter(
  database: Database,
  { id, last_id }: SearchedBatch,
  after: number,
): Promise<readonly UnkeyedRow[]> {
  const { rows } = await sql<UnkeyedRow>`
    select payout.id, payout.line, detail.transaction_code, detail.sealed
    from (
        select id, line
        from payouts
        where id between ${after} + 1 and ${last_id}
          and batch_id = ${id}
          and state not in ('declined', 'cancelled')
        offset 0
      ) payout
      cross join lateral (
        select transaction_code, sealed
        from payout_details
        where payout_id = payout.id
          and user_key is null
        offset 0
      ) detail
    order by payout.id
    limit ${OPENED_AT_ONCE}`.execute(database);
  return rows;
}
