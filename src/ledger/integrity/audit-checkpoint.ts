import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import {
  auditSealOf,
  type Checkpoint,
  type CheckpointStore,
  type VerifiedLog,
} from "#ledger/integrity/audit-seal.ts";
import type { Database } from "#ledger/store/database.ts";
import { replaceFile } from "#ledger/integrity/restore-marker.ts";

/** Returns the checkpoint store, two small files in the data folder, next to the restore marker. */
export function createCheckpointStore(folder: string): CheckpointStore {
  const latest = (ledgerId: string) => join(folder, `audit-${ledgerId}.json`);
  const verified = (ledgerId: string) => join(folder, `audit-verified-${ledgerId}.json`);
  const read = async <Stored>(file: string): Promise<Stored | null> => {
    try {
      return JSON.parse(await readFile(file, "utf8")) as Stored;
    } catch {
      return null;
    }
  };
  const write = (file: string, stored: Checkpoint) =>
    replaceFile(folder, file, `${JSON.stringify(stored)}\n`);
  return {
    read: (ledgerId) => read<Checkpoint>(latest(ledgerId)),
    write: (checkpoint) => write(latest(checkpoint.ledgerId), checkpoint),
    readVerified: (ledgerId) => read<VerifiedLog>(verified(ledgerId)),
    writeVerified: (log) => write(verified(log.ledgerId), log),
  };
}

/** Returns the saved checkpoint of the audit log. Null: none was saved, or the ledger is new. */
export async function readCheckpoint(database: Database): Promise<Checkpoint | null> {
  const epoch = await database.selectFrom("epoch").select("ledger_id").executeTakeFirst();
  return epoch ? auditSealOf(database).checkpoint.read(epoch.ledger_id) : null;
}

/**
 * Saves the latest line of the audit log outside the database. If the log no longer contains the
 * saved line, the checkpoint is not overwritten, unless the ledger was restored since: then the log
 * records a freeze in a later epoch.
 *
 * @returns what is wrong with the log; null if it continues from the saved line.
 */
export async function saveCheckpoint(database: Database): Promise<string | null> {
  const { checkpoint } = auditSealOf(database);
  const { rows } = await sql<{ ledgerId: string; epoch: number; line: number; hash: string }>`
    select e.ledger_id as "ledgerId", e.number as epoch, a.seq as line, encode(a.hash, 'hex') as hash
    from epoch e, (select seq, hash from audit order by seq desc limit 1) a`.execute(database);
  const [now] = rows;
  if (!now) return null;
  const saved = await checkpoint.read(now.ledgerId);
  if (saved?.line === now.line && saved.hash === now.hash) return null;
  if (saved && !(await isContinuation(database, saved))) {
    return `the audit log does not contain line ${saved.line} as it was saved in epoch ${saved.epoch}: it was truncated or rewritten`;
  }
  await checkpoint.write(now);
  return null;
}

async function isContinuation(database: Database, saved: Checkpoint): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`
    select exists (select from audit where seq = ${saved.line} and encode(hash, 'hex') = ${saved.hash})
      or exists (select from audit where action = 'freeze' and object = 'ledger'
        and (facts::json ->> 'epoch')::int > ${saved.epoch}) as has`.execute(database);
  return rows[0]?.has === true;
}
