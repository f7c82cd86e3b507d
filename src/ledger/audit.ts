import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { Database } from "#ledger/database.ts";
import type { Head } from "#operations/audit-head.ts";

/** One line of the audit log: who did what to which batch, with the facts as they were. */
export interface AuditLine {
  readonly actor: string;
  readonly action: string;
  readonly object: string;
  readonly facts: Readonly<Record<string, unknown>>;
}

const GENESIS = Buffer.alloc(32);

/**
 * Appends to the chain inside the caller's transaction, so that a change of state and its line are one commit.
 * One writer at a time: the lock is let go when the transaction ends.
 */
export async function appendAudit(transaction: Database, at: Date, line: AuditLine): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('payrun audit'))`.execute(transaction);
  const last = await transaction
    .selectFrom("audit")
    .select(["seq", "hash"])
    .orderBy("seq", "desc")
    .limit(1)
    .executeTakeFirst();
  const entry = {
    seq: (last?.seq ?? 0) + 1,
    at: at.toISOString(),
    actor: line.actor,
    action: line.action,
    object: line.object,
    facts: JSON.stringify(line.facts),
  };
  await transaction
    .insertInto("audit")
    .values({ ...entry, hash: chain(last?.hash ?? GENESIS, entry) })
    .execute();
}

export type AuditVerdict =
  | { readonly intact: true; readonly lines: number; readonly head: string }
  | { readonly intact: false; readonly brokenAt: number; readonly why: string };

/**
 * Recomputes the whole chain. A removed, changed, inserted or reordered line breaks it at that place.
 *
 * @param kept what was once its head: whoever has written the chain anew, or cut its end off, is found by it alone.
 */
export async function verifyAudit(database: Database, kept?: Head): Promise<AuditVerdict> {
  let previous: Buffer = GENESIS;
  let seq = 0;
  for await (const line of auditLines(database)) {
    if (line.seq !== seq + 1) {
      return { intact: false, brokenAt: seq + 1, why: `line ${seq + 1} is missing` };
    }
    const hash = chain(previous, line);
    if (!hash.equals(line.hash)) {
      return { intact: false, brokenAt: line.seq, why: `line ${line.seq} is not what was written` };
    }
    if (line.seq === kept?.line && line.hash.toString("hex") !== kept.hash) {
      const why = `line ${line.seq} is not the one whose hash was kept: the log was written anew`;
      return { intact: false, brokenAt: line.seq, why };
    }
    previous = hash;
    seq = line.seq;
  }
  if (kept && kept.line > seq) {
    const why = `it ends at line ${seq}, and once had a line ${kept.line}`;
    return { intact: false, brokenAt: seq + 1, why };
  }
  return { intact: true, lines: seq, head: previous.toString("hex") };
}

const PAGE = 1_000;

/** The whole log in order, a page of it in memory. */
export async function* auditLines(database: Database) {
  for (let after = 0; ; ) {
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

interface Hashed {
  readonly seq: number;
  readonly at: string;
  readonly actor: string;
  readonly action: string;
  readonly object: string;
  readonly facts: string;
}

const chain = (previous: Buffer, { seq, at, actor, action, object, facts }: Hashed): Buffer =>
  createHash("sha256")
    .update(previous)
    .update(JSON.stringify([seq, at, actor, action, object, facts]))
    .digest();
