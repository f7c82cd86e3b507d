import { createHash } from "node:crypto";
import { sql } from "kysely";
import { auditSealOf } from "#ledger/integrity/audit-seal.ts";
import type { Database } from "#ledger/store/database.ts";
import type { Sealer } from "#ledger/store/sealing.ts";
import type { AuditAction } from "#integrity/audit-actions.ts";
import type { AuditPosition } from "#integrity/audit-checkpoint.ts";
import { type Block, LogTree, type TreeLine, treeLeaf } from "#integrity/evidence-pack/log-tree.ts";

/** One line of the audit log: the actor, the action, its object, and the facts at that time. */
export interface AuditLine {
  readonly actor: string;
  readonly action: AuditAction;
  readonly object: string;
  readonly facts: Readonly<Record<string, unknown>>;
}

const GENESIS = Buffer.alloc(32);

/**
 * Appends a line to the chain inside the caller's transaction, so that a change of state and its
 * line are one commit. One writer at a time: the lock is released when the transaction ends. The
 * hash is made with the newest key of the ledger.
 *
 * @throws Error if this process lacks the current key of the log because PAYRUN_KEY was rotated.
 */
export async function appendAudit(transaction: Database, at: Date, line: AuditLine): Promise<void> {
  const { sealer } = auditSealOf(transaction);
  const last = await lockAudit(transaction);
  if (last && minimumKeyAfter(last) > sealer.generation) {
    throw new Error(
      "the audit log uses a newer PAYRUN_KEY than this process: restart it with the new key",
    );
  }
  const entry = {
    seq: (last?.seq ?? 0) + 1,
    at: at.toISOString(),
    actor: line.actor,
    action: line.action,
    object: line.object,
    facts: JSON.stringify(line.facts),
    key: sealer.generation,
  };
  await transaction
    .insertInto("audit")
    .values({ ...entry, hash: hashOf(sealer, last?.hash ?? GENESIS, entry) as Buffer })
    .execute();
}

/** Locks the log and returns its last line. Other writers wait until the transaction has ended. */
async function lockAudit(transaction: Database) {
  await sql`select pg_advisory_xact_lock(hashtext('payrun audit'))`.execute(transaction);
  return transaction
    .selectFrom("audit")
    .select(["seq", "action", "key", "hash"])
    .orderBy("seq", "desc")
    .limit(1)
    .executeTakeFirst();
}

/**
 * Starts signing a log that older code has written. The first hash made with a key covers its
 * lines.
 */
export async function startSigning(database: Database, at: Date): Promise<void> {
  const newest = database.selectFrom("audit").select("key").orderBy("seq", "desc").limit(1);
  if ((await newest.executeTakeFirst())?.key !== 0) return;
  await database.transaction().execute(async (transaction) => {
    const last = await lockAudit(transaction);
    if (last?.key !== 0) return;
    const facts = { lines: last.seq, hash: last.hash.toString("hex") };
    const line: AuditLine = { actor: "payrun", action: "audit_signed", object: "ledger", facts };
    await appendAudit(transaction, at, line);
  });
}

/**
 * Returns the oldest key that may sign the line after this one. A rotation retires the key that
 * signs its line.
 */
const minimumKeyAfter = ({
  key,
  action,
}: {
  readonly key: number;
  readonly action: string;
}): number => (key > 0 && action === "rotate_key" ? key + 1 : key);

export type AuditVerdict =
  | {
      readonly intact: true;
      readonly lines: number;
      readonly head: string;
      /** Root of the Merkle tree over all lines, which anyone can recompute. */
      readonly root: string;
    }
  | { readonly intact: false; readonly brokenAt: number; readonly why: string };

/** Thrown at the first line at which the chain is broken. */
export class BrokenAuditError extends Error {
  readonly brokenAt: number;

  constructor(brokenAt: number, why: string) {
    super(why);
    this.brokenAt = brokenAt;
  }
}

/**
 * Recomputes the whole chain. A removed, changed, inserted or reordered line breaks the chain at
 * that place. So does a line that was written without the ledger's key after the first one that was
 * written with it.
 *
 * @param kept a line that was once the latest. It reveals a log that was cut off or rewritten by
 * somebody with the key.
 * @param see called with each valid line.
 */
export async function verifyAudit(
  database: Database,
  kept?: AuditPosition,
  see: (line: Hashed) => void = () => {},
): Promise<AuditVerdict> {
  const verdict = await verifyFrom(database, EMPTY_LOG, { kept, see });
  if (!verdict.intact) return verdict;
  const { end, root } = verdict;
  return { intact: true, lines: end.line, head: end.hash, root };
}

/** A part of the log from its first line on whose chain is intact. */
export interface IntactPart extends AuditPosition {
  /** The oldest key that may sign the next line. */
  readonly keyMin: number;
  readonly blocks: readonly Block[];
}

/** The part with no lines. */
export const EMPTY_LOG: IntactPart = {
  line: 0,
  hash: GENESIS.toString("hex"),
  keyMin: 0,
  blocks: [],
};

type PartVerdict =
  | { readonly intact: true; readonly end: IntactPart; readonly root: string }
  | Extract<AuditVerdict, { readonly intact: false }>;

/** Recomputes the chain after a part that was verified before: see verifyAudit. */
export async function verifyFrom(
  database: Database,
  part: IntactPart,
  {
    kept,
    see = () => {},
  }: { readonly kept?: AuditPosition | undefined; readonly see?: (line: Hashed) => void } = {},
): Promise<PartVerdict> {
  const tree = new LogTree();
  for (const block of part.blocks) tree.add(block);
  let { line: lines, hash: head, keyMin } = part;
  try {
    for await (const line of intactAuditLines(database, kept, part)) {
      see(line);
      lines = line.seq;
      head = line.hash.toString("hex");
      keyMin = minimumKeyAfter(line);
      tree.add(treeLeaf({ ...line, hash: head }));
    }
  } catch (error) {
    if (!(error instanceof BrokenAuditError)) throw error;
    return { intact: false, brokenAt: error.brokenAt, why: error.message };
  }
  const end = { line: lines, hash: head, keyMin, blocks: [...tree.blocks] };
  return { intact: true, end, root: tree.root() };
}

/**
 * Yields the log after a verified part in order while its chain is intact.
 *
 * @throws BrokenAuditError at the line at which it is broken: see verifyAudit.
 */
export async function* intactAuditLines(
  database: Database,
  kept?: AuditPosition,
  part: IntactPart = EMPTY_LOG,
) {
  const { sealer } = auditSealOf(database);
  let previous: Buffer = Buffer.from(part.hash, "hex");
  let { line: seq, keyMin } = part;
  for await (const line of auditLines(database, seq)) {
    const why =
      line.seq === seq + 1
        ? whyBroken(sealer, previous, line, keyMin, kept)
        : `line ${seq + 1} is missing`;
    if (why !== null) throw new BrokenAuditError(seq + 1, why);
    yield line;
    keyMin = minimumKeyAfter(line);
    previous = line.hash;
    seq = line.seq;
  }
  if (seq > 0 && keyMin === 0) {
    const why = "no line is signed with the ledger's key: the log was rewritten";
    throw new BrokenAuditError(seq, why);
  }
  if (kept && kept.line > seq) {
    const why = `the log ends at line ${seq}, but line ${kept.line} was saved before: lines are missing`;
    throw new BrokenAuditError(seq + 1, why);
  }
}

function whyBroken(
  sealer: Sealer,
  previous: Buffer,
  line: Hashed & { readonly hash: Buffer },
  keyMin: number,
  kept: AuditPosition | undefined,
): string | null {
  const { seq, key, hash } = line;
  if (key < keyMin) return `line ${seq} is not signed with the key that was in use at that point`;
  const expected = hashOf(sealer, previous, line);
  if (!expected) return `line ${seq} is signed with key ${key}, which this ledger does not have`;
  if (!hash.equals(expected)) return `line ${seq} does not match its hash`;
  if (seq === kept?.line && hash.toString("hex") !== kept.hash) {
    return `line ${seq} does not match the saved hash: the log was rewritten`;
  }
  return null;
}

const PAGE = 1_000;

/** Yields the log after a line in order, with one page of it in memory. */
export async function* auditLines(database: Database, first = 0) {
  for (let after = first; ; ) {
    const page = await database
      .selectFrom("audit")
      .selectAll()
      .where("seq", ">", after)
      .orderBy("seq")
      .limit(PAGE)
      .execute();
    yield* page;
    const last = page.at(-1);
    if (!last || page.length < PAGE) return;
    after = last.seq;
  }
}

/** A line in the form in which it is hashed. */
export type Hashed = Omit<TreeLine, "hash">;

/**
 * Returns the hash of a line, or null if this process lacks its key. Lines from before the first
 * key are hashed without one.
 */
function hashOf(sealer: Sealer, previous: Buffer, line: Hashed): Buffer | null {
  const { seq, at, actor, action, object, facts, key } = line;
  if (key === 0) {
    const text = JSON.stringify([seq, at, actor, action, object, facts]);
    return createHash("sha256").update(previous).update(text).digest();
  }
  return sealer.sign(key, previous, JSON.stringify([seq, at, actor, action, object, facts, key]));
}
