import { sql } from "kysely";
import type { Database } from "#ledger/store/database.ts";
import type { SealedShard } from "#ledger/store/keys/subject-keys.ts";
import type { Sealer } from "#ledger/store/sealing.ts";

/** Name of the advisory lock: shared by all that seal data of people, exclusive for an erasure. */
const LOCK = "payrun subject keys";

/**
 * Keeps every key until the end of the transaction, and reads the newest ones. A row that is sealed
 * afterwards in this transaction can be opened after its commit: an erasure waits.
 */
export async function holdSubjectKeys(transaction: Database, sealer: Sealer): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(hashtextextended(${LOCK}, 0))`.execute(transaction);
  await readSubjectKeys(transaction, sealer);
}

/** Waits until no transaction seals data of people, and lets none start until this one ends. */
export async function lockSubjectKeys(transaction: Database, sealer: Sealer): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${LOCK}, 0))`.execute(transaction);
  await readSubjectKeys(transaction, sealer);
}

/** Reads the keys that were stored since this process read them last. */
export async function readSubjectKeys(database: Database, sealer: Sealer): Promise<void> {
  const { rows } = await sql<SealedShard>`
    select shard, version, sealed
    from key_tree
    where version > ${sealer.subjects.version}`.execute(database);
  if (rows.length > 0) sealer.subjects.load(rows);
}

/** Stores shards of the key tree in place of the older ones. */
export async function storeSubjectKeys(
  transaction: Database,
  shards: readonly SealedShard[],
): Promise<void> {
  await sql`
    insert into key_tree (shard, version, sealed)
    select * from unnest(
      ${shards.map(({ shard }) => shard)}::smallint[],
      ${shards.map(({ version }) => version)}::bigint[],
      ${shards.map(({ sealed }) => sealed)}::bytea[]
    )
    on conflict (shard) do update set version = excluded.version, sealed = excluded.sealed`.execute(
    transaction,
  );
}
