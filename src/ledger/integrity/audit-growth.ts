import { sql } from "kysely";
import {
  type AuditVerdict,
  EMPTY_LOG,
  type IntactPart,
  verifyFrom,
} from "#ledger/integrity/audit-hash-chain.ts";
import { auditSealOf, type VerifiedLog } from "#ledger/integrity/audit-seal.ts";
import type { Database } from "#ledger/store/database.ts";

/** Time after which the whole log is read again. */
const WHOLE_AFTER_MS = 7 * 24 * 3_600_000;

/**
 * Verifies the lines that the audit log has gained since this machine verified it last, and returns
 * the verdict about the whole log, with the same root. Once a week, and after a restore, it reads
 * the whole log: a change of an older line is found then, or by `payrun audit verify`.
 */
export async function verifyGrownAudit(database: Database, now: Date): Promise<AuditVerdict> {
  const { checkpoint } = auditSealOf(database);
  const epoch = await database
    .selectFrom("epoch")
    .select(["ledger_id as ledgerId", "number as epoch"])
    .executeTakeFirst();
  const verified = epoch ? await checkpoint.readVerified(epoch.ledgerId) : null;
  const known = verified && verified.epoch === epoch?.epoch ? verified : null;
  const isFresh =
    known !== null && Math.abs(now.getTime() - Date.parse(known.wholeAt)) < WHOLE_AFTER_MS;
  const part = isFresh && (await hasLine(database, known)) ? partOf(known) : EMPTY_LOG;
  const verdict = await verifyFrom(database, part, { kept: known ?? undefined });
  if (!verdict.intact) return verdict;
  const { end, root } = verdict;
  if (epoch && end.line > 0) {
    const blocks = end.blocks.map((block) => ({ ...block, digest: block.digest.toString("hex") }));
    const wholeAt = part === EMPTY_LOG ? now.toISOString() : (known?.wholeAt ?? "");
    await checkpoint.writeVerified({ ...epoch, ...end, blocks, wholeAt });
  }
  return { intact: true, lines: end.line, head: end.hash, root };
}

const partOf = ({ line, hash, keyMin, blocks }: VerifiedLog): IntactPart => ({
  line,
  hash,
  keyMin,
  blocks: blocks.map((block) => ({ ...block, digest: Buffer.from(block.digest, "hex") })),
});

/** Returns whether the log still contains the last verified line. */
async function hasLine(database: Database, { line, hash }: VerifiedLog): Promise<boolean> {
  const { rows } = await sql`
    select from audit where seq = ${line} and encode(hash, 'hex') = ${hash}`.execute(database);
  return rows.length === 1;
}
