import { sql } from "kysely";
import type { Secret } from "#base/secret.ts";
import { completeErasures, countIncomplete } from "#ledger/erasure/erasures.ts";
import { removeTerms } from "#ledger/erasure/rewrite-terms.ts";
import { appendAudit } from "#ledger/integrity/audit-hash-chain.ts";
import { findKeyRing, KeyError, OTHER_KEY } from "#ledger/integrity/sealing-keys.ts";
import {
  lockSubjectKeys,
  storeSubjectKeys,
  USE_SUBJECT_KEYS,
} from "#ledger/integrity/stored-keys.ts";
import { replaceSearchTexts } from "#ledger/people/saved-views.ts";
import type { Database } from "#ledger/store/database.ts";
import { replaceAnswers } from "#ledger/store/idempotency.ts";
import { createSealer, rotatedRing, type Sealer } from "#ledger/store/sealing.ts";
import { writeSettings } from "#ledger/store/settings.ts";

/**
 * Rotates the key: from now on another PAYRUN_KEY opens the ledger, and the old one alone does not
 * open data that is sealed from now on. Data sealed before stays unchanged, because those tables
 * are append-only. Returns the number of erasures that are complete once the old key is destroyed;
 * if there are any, `rewriteNextTerms` must follow.
 *
 * @throws KeyError if another process was first; KeyUsed if the ledger had the new key before.
 */
export async function rotateKey(
  database: Database,
  { from, to, actor, at }: { from: Secret; to: Secret; actor: string; at: Date },
): Promise<number> {
  return database.transaction().execute(async (transaction) => {
    await sql`set local statement_timeout = 0`.execute(transaction);
    const { value } = await transaction
      .selectFrom("settings")
      .select("value")
      .where("name", "=", "key_check")
      .forUpdate()
      .executeTakeFirstOrThrow();
    const before = createSealer(from);
    if (value !== before.keyCheck) throw new KeyError(OTHER_KEY);
    await lockSubjectKeys(transaction, before);
    const ringBefore = await findKeyRing(transaction);
    const ring = rotatedRing(from, ringBefore, to);
    const after = createSealer(to, ring);
    const erasures = await countIncomplete(transaction);
    // The old PAYRUN_KEY opens the tree of old backups. After it is destroyed, no key does.
    const shards = before.subjects.underKey(after.subjects, erasures > 0);
    after.subjects.load(shards);
    after.subjects.isUsed = true;
    await storeSubjectKeys(transaction, shards);
    if (erasures > 0) await removeTerms(transaction);
    await sealPassingAgain(transaction, createSealer(from, ringBefore), after);
    await completeErasures(transaction, at);
    const { name, value: on } = USE_SUBJECT_KEYS;
    await writeSettings(transaction, { key_check: after.keyCheck, key_ring: ring, [name]: on });
    await appendAudit(transaction, at, {
      actor,
      action: "rotate_key",
      object: "ledger",
      facts: erasures > 0 ? { erasures } : {},
    });
    return erasures;
  });
}

async function sealPassingAgain(transaction: Database, before: Sealer, after: Sealer) {
  await replaceAnswers(transaction, [before, after], (text) => text);
  await replaceSearchTexts(transaction, [before, after], () => false);
}
