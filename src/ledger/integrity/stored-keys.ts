import { sql } from "kysely";
import type { Database } from "#ledger/store/database.ts";
import type { SealedShard } from "#ledger/store/keys/subject-keys.ts";
import { readSettings } from "#ledger/store/settings.ts";
import type { Sealer } from "#ledger/store/sealing.ts";

/** Name of the advisory lock: shared by all that seal data of people, exclusive for an erasure. */
const LOCK = "payrun subject keys";

/**
 * Setting of a ledger that seals under the keys of subjects. A ledger of an older version gets it
 * at the rotation of its key, when no older process runs that could not open such a text.
 */
export const USE_SUBJECT_KEYS = { name: "sealing", value: "subjects" } as const;

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
  if (sealer.subjects.isUsed) return;
  const settings = await readSettings(database, USE_SUBJECT_KEYS.name);
  if (settings.get(USE_SUBJECT_KEYS.name) === USE_SUBJECT_KEYS.value) sealer.subjects.isUsed = true;
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
