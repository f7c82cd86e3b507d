import { sql } from "kysely";
import { removeTerms } from "#ledger/erasure/rewrite-terms.ts";
import { appendAudit, verifyAudit } from "#ledger/integrity/audit-hash-chain.ts";
import { withAuditSeal } from "#ledger/integrity/audit-seal.ts";
import { findKeyRing, KeyError } from "#ledger/integrity/sealing-keys.ts";
import { storeSubjectKeys, USE_SUBJECT_KEYS } from "#ledger/integrity/stored-keys.ts";
import type { Database } from "#ledger/store/database.ts";
import type { SealedShard } from "#ledger/store/keys/subject-keys.ts";
import { createSealer, type Sealer } from "#ledger/store/sealing.ts";
import { readSettings, writeSettings } from "#ledger/store/settings.ts";
import type { Secret } from "#base/secret.ts";

/** The keys of a ledger without those of erased people, sealed under its PAYRUN_KEY. */
export interface ExportedKeys {
  readonly ledgerId: string;
  /** Identifies the PAYRUN_KEY that opens the keys. */
  readonly keyCheck: string;
  readonly ring: string;
  readonly tree: readonly SealedShard[];
}

/**
 * Returns the keys of this ledger. Null: its PAYRUN_KEY was never rotated, and opens each backup.
 */
export async function exportKeys(database: Database): Promise<ExportedKeys | null> {
  const [ring, ledgerId] = [await findKeyRing(database), await findLedgerId(database)];
  const keyCheck = (await readSettings(database, "key_check")).get("key_check");
  if (ring === null || keyCheck === undefined) return null;
  const { rows: tree } = await sql<SealedShard>`
    select shard, version, sealed from key_tree order by shard`.execute(database);
  return { ledgerId, keyCheck, ring, tree };
}

/**
 * Replaces the keys of a restored ledger, which were sealed under a PAYRUN_KEY that was destroyed.
 * Search terms have another key then: `rewriteNextTerms` must follow. Stored answers and saved
 * searches are deleted, because only the destroyed key opened them.
 *
 * @throws KeyError if the keys do not belong to this PAYRUN_KEY and ledger, or are older than those
 * of the ledger.
 */
export async function importKeys(
  database: Database,
  keys: ExportedKeys,
  { key, actor, at }: { readonly key: Secret; readonly actor: string; readonly at: Date },
): Promise<Sealer> {
  if (createSealer(key).keyCheck !== keys.keyCheck) {
    throw new KeyError("PAYRUN_KEY is not the key that encrypted this file of keys.");
  }
  if ((await findLedgerId(database)) !== keys.ledgerId) {
    throw new KeyError("The file contains the keys of another ledger.");
  }
  const imported = createSealer(key, keys.ring);
  imported.subjects.load(keys.tree);
  imported.subjects.isUsed = true;
  const { name, value } = USE_SUBJECT_KEYS;
  await withAuditSeal(database, imported)
    .transaction()
    .execute(async (transaction) => {
      await sql`set local statement_timeout = 0`.execute(transaction);
      await refuseOlderKeys(transaction, keys);
      await storeSubjectKeys(transaction, keys.tree);
      const settings = { key_check: keys.keyCheck, key_ring: keys.ring, [name]: value };
      await writeSettings(transaction, settings);
      const verdict = await verifyAudit(transaction);
      if (!verdict.intact) {
        throw new KeyError(`The keys do not match the audit log of this ledger: ${verdict.why}.`);
      }
      await removeTerms(transaction);
      await sql`delete from idempotency`.execute(transaction);
      await sql`delete from saved_views where page = 'payouts' and filters ? 'text'`.execute(
        transaction,
      );
      await appendAudit(transaction, at, {
        actor,
        action: "import_keys",
        object: "ledger",
        facts: { keys: imported.generation },
      });
    });
  return imported;
}

async function refuseOlderKeys(transaction: Database, keys: ExportedKeys): Promise<void> {
  const current = await transaction
    .selectFrom("settings")
    .select("value")
    .where("name", "=", "key_check")
    .forUpdate()
    .executeTakeFirst();
  if (current?.value === keys.keyCheck) {
    throw new KeyError("This ledger already uses PAYRUN_KEY, so it needs no other keys.");
  }
  const newest = Math.max(0, ...keys.tree.map(({ version }) => version));
  const { rows } = await sql<{ version: number }>`
    select coalesce(max(version), 0)::int as version from key_tree`.execute(transaction);
  if ((rows[0]?.version ?? 0) > newest) {
    throw new KeyError("The file is older than this ledger. Use a newer file of keys.");
  }
}

const findLedgerId = async (database: Database): Promise<string> =>
  (await database.selectFrom("epoch").select("ledger_id").executeTakeFirstOrThrow()).ledger_id;
